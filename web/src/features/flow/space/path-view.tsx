import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons'
import { Alert, Button, Segmented, Select, Slider } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useMedia } from '../../../ui/hooks/use-media.ts'
import { frameSeconds } from '../viewer/beat.ts'
import type { Asks } from '../viewer/numbers/asks.ts'
import type { Cut } from '../viewer/sections/use-sections.ts'
import { useAnswer } from '../viewer/use-answer.ts'
import viewer from '../viewer/viewer.module.css'
import { millisecondsAt } from '../viewer/words.ts'
import type { SpacePaths } from './numbers/paths.ts'
import type { Part } from './part.ts'
import styles from './space.module.css'
import { SpaceStage } from './space-stage.tsx'
import { useClock } from './use-clock.ts'
import { pathsText, shownOf } from './words.ts'

type PathProps = Part & { planes: readonly Cut[] }

/** Particles let go in a plane, on their way through time. */
export function PathView({ planes, ...part }: PathProps) {
  const { t } = useTranslation(['flow-space', 'flow-view'])
  const { seen, worker, seed } = part
  const { choice, facts } = seen
  const { head } = facts
  const [number, setNumber] = useState(planes[0]?.number ?? 0)
  const [begin, setBegin] = useState(choice.frame)
  const [isOften, setOften] = useState(false)
  const plane = planes.find((one) => one.number === number) ?? planes[0]
  const { answer, isFailed } = useAnswer(
    worker,
    'paths',
    askOf({ plane, choice, begin, isOften, seed, frames: head.frames }),
  )
  const paths = answer !== null && typeof answer !== 'string' ? answer : null
  return (
    <>
      <div className={viewer.bar}>
        <Select<number>
          aria-label={t('from')}
          value={plane?.number ?? 0}
          onChange={setNumber}
          options={planes.map((one) => ({
            value: one.number,
            label: one.name ?? t('flow-view:flow.plane', { number: one.number }),
          }))}
        />
        <Segmented<boolean>
          aria-label={t('often')}
          value={isOften}
          onChange={setOften}
          options={[
            { value: false, label: t('once') },
            { value: true, label: t('always') },
          ]}
        />
      </div>
      {!isOften && (
        <div className={styles.clock}>
          <span>{t('begin')}</span>
          <Slider
            min={1}
            max={head.frames}
            value={begin + 1}
            ariaLabelForHandle={t('begin')}
            onChange={(shown) => setBegin(shown - 1)}
          />
          <span className={viewer.count}>
            {t('flow-view:time.ms', { time: formatNumber(millisecondsAt(head, begin)) })}
          </span>
        </div>
      )}
      {isFailed && <Alert type="error" showIcon title={t('fault.failed')} />}
      {typeof answer === 'string' && <Alert type="warning" showIcon title={t(`fault.${answer}`)} />}
      <Moving key={paths ? 'there' : 'coming'} {...part} paths={paths} begin={isOften ? 0 : begin} />
      <p className={viewer.soft}>{paths ? pathsText(t, paths) : t('none')}</p>
    </>
  )
}

type Asked = {
  plane: Cut | undefined
  choice: Part['seen']['choice']
  begin: number
  isOften: boolean
  seed: number
  frames: number
}

function askOf({ plane, choice, begin, isOften, seed, frames }: Asked): Asks['paths']['ask'] | null {
  if (!plane?.flow) return null
  const emitAt = isOften ? Array.from({ length: frames }, (_, frame) => frame) : [begin]
  const emitter = { plane: plane.plane, outline: plane.flow.outline }
  return { mask: choice.mask, density: choice.drawn.settings.linDensity, seed, emitter, emitAt }
}

/** Of a beat: how long tails are. */
const TAIL = 0.08
/** Pictures of a film from one frame to the next. */
const PIECES = 2
/** Of true speed. */
const paces = [1, 0.25] as const

type MovingProps = Part & { paths: SpacePaths | null; begin: number }

function Moving({ seen, worker, painter, paths, begin }: MovingProps) {
  const { t } = useTranslation(['flow-space', 'flow-view'])
  const { head } = seen.facts
  const { mask } = seen.choice
  // Who asked for stillness sees whole ways, and plays them on purpose.
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const [isPlaying, setPlaying] = useState(!isStill)
  const [pace, setPace] = useState<(typeof paces)[number]>(0.25)
  const seconds = frameSeconds(head) ?? 0
  const frames = paths?.frames ?? 0
  const running = { frames, seconds: seconds / pace, isPlaying: isPlaying && frames > 0 }
  const { now, setNow } = useClock(running, isStill ? frames : 0)
  const { answer: hull } = useAnswer(worker, 'hull', { mask })
  const timeAt = (after: number) =>
    t('flow-view:time.ms', {
      time: formatNumber(millisecondsAt(head, begin) + Math.round(1000 * after * seconds)),
    })
  const shownAt = (after: number) => {
    const moment = { now: after, tail: TAIL * head.frames }
    return shownOf({ seen, t, lines: paths, moment, time: timeAt(after) })
  }
  const time = timeAt(now)
  const beat = {
    ...{ count: PIECES * frames + 1, seconds: seconds > 0 ? seconds / PIECES : null },
    async changeAt(at: number) {
      const { moment, foot } = shownAt(at / PIECES)
      return { moment, foot }
    },
  }
  const handleKey = ({ key }: KeyboardEvent): boolean => {
    if (key === ' ') setPlaying((before) => !before)
    if (key === ',') setNow(Math.max(0, now - 1))
    if (key === '.') setNow(Math.min(frames, now + 1))
    return [' ', ',', '.'].includes(key)
  }
  return (
    <>
      <SpaceStage
        painter={painter}
        onKey={handleKey}
        hull={mask.isOn ? hull : null}
        shown={shownAt(now)}
        beat={frames > 0 ? beat : null}
        about={paths ? pathsText(t, paths) : t('none')}
      />
      <div className={styles.clock}>
        <span>{t('flow-view:time.name')}</span>
        <Slider
          min={0}
          max={frames}
          step={0.1}
          value={now}
          tooltip={{ open: false }}
          ariaLabelForHandle={t('flow-view:time.name')}
          ariaValueTextFormatterForHandle={() => time}
          onChange={(next) => {
            setPlaying(false)
            setNow(next)
          }}
        />
        <span className={viewer.count}>{time}</span>
      </div>
      <div className={viewer.tools}>
        <Button
          type={isPlaying ? 'primary' : 'default'}
          icon={isPlaying ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          onClick={() => setPlaying((before) => !before)}
        >
          {t(isPlaying ? 'flow-view:time.pause' : 'flow-view:time.play')}
        </Button>
        <Segmented<1 | 0.25>
          aria-label={t('flow-view:time.pace')}
          value={pace}
          onChange={setPace}
          options={paces.map((value) => ({
            value,
            label: t(value === 1 ? 'flow-view:time.true' : 'flow-view:time.slow'),
          }))}
        />
      </div>
    </>
  )
}
