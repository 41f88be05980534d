import type { FlowSection } from '@neuroloom/contract/flow/run'
import { Alert, Tabs } from 'antd'
import { memo, type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { SpaceProps } from '../space/space-view.tsx'
import {
  alongPlane,
  askOf,
  type Choice,
  pickedPlace,
  settled,
  sightIn,
  startChoice,
  tilted,
  turned,
} from './choice.ts'
import { type Exporting, saveCurves } from './exports/exporting.ts'
import { figureOf } from './figure-of.ts'
import { isOfTime, keysOf, moved } from './keys.ts'
import type { FlowWorker } from './numbers/ask-worker.ts'
import type { Facts, Picture } from './numbers/asks.ts'
import type { SightName } from './numbers/sight.ts'
import { ObliqueBar } from './oblique-bar.tsx'
import { FlowPanel } from './panels/flow-panel.tsx'
import { LayersPanel, type PanelProps } from './panels/layers-panel.tsx'
import { MaskPanel } from './panels/mask-panel.tsx'
import { OptionsPanel } from './panels/options-panel.tsx'
import { Probe } from './panels/probe.tsx'
import { PictureBar } from './picture-bar.tsx'
import { planeHere, useAcross } from './sections/use-across.ts'
import { useSections } from './sections/use-sections.ts'
import { Sliders } from './sliders.tsx'
import type { Bench } from './source.ts'
import { type Place, Stage } from './stage.tsx'
import { useAnswer } from './use-answer.ts'
import { useBefore } from './use-before.ts'
import { usePlay } from './use-play.ts'
import styles from './viewer.module.css'

type WorkbenchProps = Bench & { facts: Facts; worker: FlowWorker }

// Most look at slices alone.
const SpaceView = lazyPart<SpaceProps>(async () => (await import('../space/space-view.tsx')).SpaceView)

const none: FlowSection[] = []
const nothing = {}

/** The picture, what leads through it, and the settings beside it. */
export function Workbench({ source, facts, worker, start, ...given }: WorkbenchProps) {
  const { t } = useTranslation('flow-view')
  const { head } = facts
  const { name, beforeIs } = source
  const [choice, setChoice] = useState(() => startChoice(facts, start))
  const [tab, setTab] = useState('layers')
  const [isSpace, setSpace] = useState(false)
  const change = useCallback(
    (patch: Partial<Choice>) => setChoice((before) => settled(head, { ...before, ...patch })),
    [head],
  )
  const setPlane = useCallback(
    (next: SightName | 'space') => {
      setSpace(next === 'space')
      if (next !== 'space') setChoice((before) => turned(head, before, next))
    },
    [head],
  )
  const setFrame = useCallback((frame: number) => change({ frame }), [change])
  const play = usePlay({ head, frame: choice.frame, setFrame })
  const before = useBefore(worker, source.before ?? null)
  const { answer: picture, isFailed } = useAnswer(worker, 'picture', isSpace ? null : askOf(head, choice))
  const nameOf = (number: number) => t('flow.plane', { number })
  const keeping = { start: given.sections ?? none, onKeep: given.onKeepSections, nameOf }
  const sections = useSections(worker, choice.mask, keeping)
  const across = useAcross({ head, choice, add: sections.add })
  const { cuts, chosen } = sections

  const handlePick = (at: Place) => {
    if (across.picking !== null) return across.pick(at)
    const place = pickedPlace(head, choice, at)
    if (place) change({ place, hasCursor: true })
  }
  const handleKey = keysOf({
    head,
    choice,
    change,
    setFrame,
    play,
    onMove: (by) => change(moved(head, choice, by)),
    onEnter: () => handlePick(sightIn(head, choice).toShown(choice.place)),
    onEscape: () => (across.picking ? across.stop() : change({ hasCursor: false })),
  })

  const { begun } = across
  const figureFor = (one: Picture) =>
    figureOf({ facts, choice, picture: one, name, beforeIs, t, cuts, chosen, begun })
  const figure = picture && figureFor(picture)
  const exporting = useRef<Exporting | null>(null)
  const seen = { facts, choice, cuts, source, worker, figureFor, provenance: given.provenance ?? nothing }
  exporting.current = picture && { ...seen, picture }
  const panel = { facts, choice: useSteady(choice), change }
  const look = ({ plane }: { plane: Parameters<typeof alongPlane>[2] }) => {
    setSpace(false)
    setChoice((last) => alongPlane(head, last, plane))
  }
  const sliders = <Sliders {...{ head, choice, change, play }} hasSlices={!isSpace} />
  return (
    <div className={styles.bench}>
      <div className={styles.main}>
        <PictureBar
          {...{ head, change, setPlane, before, exporting }}
          {...{ isSpace, plane: choice.plane, angles: choice.angles, isBefore: choice.isBefore }}
          hasBefore={(source.before ?? null) !== null}
          beforeIs={beforeIs}
          imageClarity={choice.drawn.settings.imageClarity}
          isWhole={choice.view.zoom === 1}
          onKeepFigure={given.onKeepFigure}
        />
        {isSpace ? (
          <Suspense
            fallback={<div className={styles.stage} role="status" aria-label={t('loading.reading')} />}
          >
            <SpaceView
              {...{ seen, worker, onKeepFigure: given.onKeepFigure }}
              time={sliders}
              onKey={(event) => isOfTime(event) && handleKey(event)}
            />
          </Suspense>
        ) : (
          <>
            {choice.plane === 'oblique' && (
              <ObliqueBar
                angles={choice.angles}
                onTurn={(angles) => setChoice((last) => tilted(head, last, angles))}
                cuts={cuts}
                onAlong={look}
              />
            )}
            {isFailed && <Alert type="error" showIcon title={t('failed.picture')} />}
            {figure ? (
              <Stage
                figure={figure}
                label={t('stage', { plane: t(`plane.${choice.plane}`) })}
                isPicking={across.picking !== null}
                onView={(view) => change({ view })}
                onPick={handlePick}
                onKey={handleKey}
              />
            ) : (
              <div className={styles.stage} role="status" aria-label={t('loading.reading')} />
            )}
          </>
        )}
        {!isSpace && sliders}
        {picture && !isSpace && <Probe {...{ facts, choice, picture, worker }} />}
      </div>
      <Side
        {...panel}
        tab={tab}
        onTab={setTab}
        voxels={picture?.voxels ?? null}
        flow={
          tab === 'flow' ? (
            <FlowPanel
              {...{ facts, sections, frame: choice.frame, mask: choice.mask }}
              picking={across.picking}
              onHere={() => sections.add(planeHere(head, choice))}
              onAcross={across.toggle}
              onLook={look}
              onCsv={(mark) => picture && void saveCurves({ ...seen, picture }, mark)}
            />
          ) : null
        }
      />
    </div>
  )
}

type SideProps = PanelProps & {
  tab: string
  onTab: (tab: string) => void
  voxels: number | null
  /** Null while another tab is seen. */
  flow: ReactNode
}

/** The settings. At 25 frames a second forms have no time to be made anew. */
const Side = memo(({ tab, onTab, voxels, flow, ...panel }: SideProps) => {
  const { t } = useTranslation('flow-view')
  return (
    <Tabs
      className={styles.side ?? ''}
      size="small"
      tabBarGutter={16}
      destroyOnHidden
      activeKey={tab}
      onChange={onTab}
      items={[
        { key: 'layers', label: t('tab.layers'), children: <LayersPanel {...panel} /> },
        { key: 'options', label: t('tab.options'), children: <OptionsPanel {...panel} /> },
        { key: 'mask', label: t('tab.mask'), children: <MaskPanel {...panel} voxels={voxels} /> },
        { key: 'flow', label: t('tab.flow'), children: flow },
      ]}
    />
  )
})

/** The same object as long as only time, place or view differ: none of the forms shows them. */
function useSteady(choice: Choice): Choice {
  const last = useRef(choice)
  const { frame, place, view, hasCursor } = choice
  const before: Choice = { ...last.current, frame, place, view, hasCursor }
  const isSame = (Object.keys(before) as (keyof Choice)[]).every((key) => before[key] === choice[key])
  if (!isSame) last.current = choice
  return last.current
}
