import { NodeIndexOutlined } from '@ant-design/icons'
import { Alert, Button, Segmented } from 'antd'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { frameSeconds } from '../viewer/beat.ts'
import type { Seen } from '../viewer/exports/origin.ts'
import type { FlowWorker } from '../viewer/numbers/ask-worker.ts'
import type { Bench } from '../viewer/source.ts'
import { useAnswer } from '../viewer/use-answer.ts'
import viewer from '../viewer/viewer.module.css'
import { millisecondsAt } from '../viewer/words.ts'
import type { SpaceLines } from './numbers/streams.ts'
import type { Painter, Part } from './part.ts'
import { PathView } from './path-view.tsx'
import { SpaceExports } from './space-exports.tsx'
import { SpaceStage } from './space-stage.tsx'
import { useFrames } from './use-frames.ts'
import { linesText, shownOf } from './words.ts'

export type SpaceProps = {
  seen: Seen
  worker: FlowWorker
  /** Sliders of time, which streamlines follow. */
  time: ReactNode
  /** True where the key was taken: moments and play. */
  onKey: (event: KeyboardEvent) => boolean
  onKeepFigure: Bench['onKeepFigure']
}

/** Lines of flow in the volume, seen from any side: of one moment, or of particles through time. */
export function SpaceView({ seen, worker, time, onKey, onKeepFigure }: SpaceProps) {
  const { t } = useTranslation(['flow-space', 'flow-view'])
  const { facts, cuts } = seen
  const { head } = facts
  const [kind, setKind] = useState<'streams' | 'paths'>('streams')
  const [seed, setSeed] = useState(1)
  const painter = useRef<Painter | null>(null)
  const planes = cuts.filter(({ flow }) => flow !== null)
  const hasPaths = head.frames > 1 && planes.length > 0
  const isPaths = kind === 'paths' && hasPaths
  const part = { seen, worker, seed, painter }
  return (
    <>
      <div className={viewer.bar}>
        <Segmented
          aria-label={t('which')}
          value={isPaths ? 'paths' : 'streams'}
          onChange={setKind}
          options={[
            { value: 'streams', label: t('streams') },
            { value: 'paths', label: t('paths'), disabled: !hasPaths },
          ]}
        />
        <span className={viewer.tools}>
          <Button
            icon={<NodeIndexOutlined aria-hidden />}
            title={t('seedsAbout')}
            onClick={() => setSeed((before) => before + 1)}
          >
            {t('seeds')}
          </Button>
          <SpaceExports {...{ seen, worker, painter, onKeepFigure, kind: isPaths ? 'paths' : 'streams' }} />
        </span>
      </div>
      {isPaths ? <PathView {...part} planes={planes} /> : <StreamView {...part} {...{ time, onKey }} />}
      {!hasPaths && <p className={viewer.soft}>{t(head.frames > 1 ? 'planeHint' : 'oneFrame')}</p>}
    </>
  )
}

export type PartProps = Pick<SpaceProps, 'seen' | 'worker'> & {
  seed: number
  painter: { current: Painter | null }
}

function StreamView({ seen, worker, seed, painter, time, onKey }: Part & Pick<SpaceProps, 'time' | 'onKey'>) {
  const { t } = useTranslation(['flow-space', 'flow-view'])
  const { facts, choice } = seen
  const { head } = facts
  const { frame, mask } = choice
  const ask = { mask, density: choice.drawn.settings.linDensity, seed }
  const { lines, fault, ready } = useFrames(worker, { ask, frame, frames: head.frames, isOn: true })
  const { answer: hull } = useAnswer(worker, 'hull', { mask })
  const shownAt = (at: number, those: SpaceLines | null) => {
    const moment = t('flow-view:foot.time', { time: formatNumber(millisecondsAt(head, at)) })
    return shownOf({ seen, t, lines: those, moment: null, time: head.frames > 1 ? moment : null })
  }
  const beat = {
    ...{ count: head.frames, seconds: frameSeconds(head) },
    async changeAt(at: number) {
      const those = await worker.ask('space', { ...ask, frame: at })
      if (typeof those === 'string') throw new Error(those)
      const { lines, reference, foot } = shownAt(at, those)
      return { lines, reference, foot }
    },
  }
  return (
    <>
      {fault && (
        <Alert type={fault === 'failed' ? 'error' : 'warning'} showIcon title={t(`fault.${fault}`)} />
      )}
      <SpaceStage
        {...{ painter, onKey }}
        hull={mask.isOn ? hull : null}
        shown={shownAt(frame, fault ? null : lines)}
        beat={head.frames > 1 ? beat : null}
        about={lines && !fault ? linesText(t, lines) : t('none')}
      />
      {time}
      <p className={viewer.soft}>
        {lines && !fault ? linesText(t, lines) : t('none')}
        {ready < head.frames &&
          !fault &&
          ` ${t('ready', { ready: formatNumber(ready), frames: formatNumber(head.frames) })}`}
      </p>
    </>
  )
}
