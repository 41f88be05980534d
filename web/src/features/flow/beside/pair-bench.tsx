import type { FlowSection } from '@neuroloom/contract/flow/run'
import { Collapse, Segmented, Switch, Tabs } from 'antd'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { alongPlane, askOf, type Choice, ownTops, type Start, tilted, turned } from '../viewer/choice.ts'
import { figureOf } from '../viewer/figure-of.ts'
import type { Facts, Picture } from '../viewer/numbers/asks.ts'
import type { SightName } from '../viewer/numbers/sight.ts'
import { planesOf } from '../viewer/numbers/view-plane.ts'
import { ObliqueBar } from '../viewer/oblique-bar.tsx'
import { LayersPanel } from '../viewer/panels/layers-panel.tsx'
import { OptionsPanel } from '../viewer/panels/options-panel.tsx'
import { Sliders } from '../viewer/sliders.tsx'
import { useAnswer } from '../viewer/use-answer.ts'
import styles from './beside.module.css'
import { DifferencePane } from './difference-pane.tsx'
import { matchOf } from './follow.ts'
import { Pane } from './pane.tsx'
import { sharedTops } from './shared-tops.ts'
import { type At, type Edit, type Side, type Two, usePair } from './use-pair.ts'

type PairProps = {
  sides: Two<Side>
  start?: Start
  /** Of the first: what an oblique plane may be laid along. */
  sections?: readonly FlowSection[]
  /** Two moments of one study: time is never shared. */
  hasOwnTimes?: boolean
}

/** Two studies, or two moments of one, at the same place with the same layers and the same colours. */
export function PairBench({ sides, start, sections = [], hasOwnTimes = false }: PairProps) {
  // Texts of the options too: when they come later all of it is shown anew.
  const { t } = useTranslation(['flow-beside', 'flow-options'])
  const { t: ofView } = useTranslation('flow-view')
  const { choices, isLinked, setLinked, edit, plays } = usePair({ sides, start, hasOwnTimes })
  const pictures = usePictures(sides, choices)
  const [hasDifference, setDifference] = useState(false)
  const [one, other] = sides
  const matched = matchOf(one.facts.head, other.facts.head)
  const mayDiffer = isLinked && matched === 'sameGrid'
  const isDiffering = mayDiffer && hasDifference
  const editOf = (at: At) => (change: Edit) => edit(at, change)
  const steering = (at: At) => ({
    ...{ head: sides[at].facts.head, choice: choices[at], edit: editOf(at), play: plays[at], sections },
  })
  const shown = ([0, 1] as const).map((at) => ({ at, side: sides[at], ...pictures[at] }))
  return (
    <section className={styles.pair} aria-label={t('title')}>
      <div className={styles.bar}>
        <Toggle label={t('linked')} isOn={isLinked} onChange={setLinked} />
        <span className={styles.soft}>{t(isLinked ? `matched.${matched}` : 'unlinked')}</span>
        {mayDiffer && <Toggle label={t('difference.name')} isOn={hasDifference} onChange={setDifference} />}
      </div>
      {isLinked && <Plane {...steering(0)} />}
      <div className={styles.panes} data-count={isDiffering ? 3 : 2}>
        {shown.map(({ at, side, picture, isFailed }) => (
          <Pane
            key={side.key}
            {...{ side, picture, isFailed, choice: choices[at], edit: editOf(at) }}
            play={plays[isLinked && !hasOwnTimes ? 0 : at]}
            figure={picture && figureFor({ side, choice: choices[at], picture, t: ofView })}
            values={picture?.speed ?? null}
          >
            {!isLinked && <Plane {...steering(at)} />}
            {(!isLinked || hasOwnTimes) && <Through {...steering(at)} hasSlices={!isLinked} />}
          </Pane>
        ))}
        {isDiffering && (
          <DifferencePane
            {...{ sides, pictures: [pictures[0].picture, pictures[1].picture], choice: choices[0] }}
            {...{ play: plays[0], edit: editOf(0) }}
          />
        )}
      </div>
      {isLinked && <Through {...steering(0)} hasSlices hasTime={!hasOwnTimes} />}
      <Layers facts={factsOf(sides)} choice={choices[0]} edit={editOf(0)} />
    </section>
  )
}

/** Colours and arrows of both end where those of the faster one do. */
function usePictures([one, other]: Two<Side>, [first, second]: Two<Choice>) {
  const [own, setOwn] = useState(ownTops)
  const left = useAnswer(one.worker, 'picture', { ...askOf(one.facts.head, first), tops: own })
  const right = useAnswer(other.worker, 'picture', { ...askOf(other.facts.head, second), tops: own })
  const tops = sharedTops([left.answer?.own, right.answer?.own])
  if (JSON.stringify(tops) !== JSON.stringify(own)) setOwn(tops)
  return [
    { picture: left.answer, isFailed: left.isFailed },
    { picture: right.answer, isFailed: right.isFailed },
  ] as const
}

type Drawn = { side: Side; choice: Choice; picture: Picture; t: TFunction<'flow-view'> }

const figureFor = ({ side: { facts, name }, choice, picture, t }: Drawn) =>
  figureOf({ facts, choice, picture, name, t, cuts: [], chosen: null, begun: null })

type Steering = {
  head: Facts['head']
  choice: Choice
  edit: (change: Edit) => void
  play: Parameters<typeof Sliders>[0]['play']
  sections: readonly FlowSection[]
}

/** Which plane, and how an oblique one is turned. */
function Plane({ head, choice, edit, sections }: Steering) {
  const { t } = useTranslation(['flow-beside', 'flow-view'])
  const planes: SightName[] = [...planesOf(head), 'oblique']
  return (
    <div className={styles.plane}>
      <Segmented
        aria-label={t('flow-view:planeName')}
        value={choice.plane}
        onChange={(plane) => edit((last) => turned(head, last, plane))}
        options={planes.map((value) => ({ value, label: t(`flow-view:plane.${value}`) }))}
      />
      {choice.plane === 'oblique' && (
        <ObliqueBar
          angles={choice.angles}
          onTurn={(angles) => edit((last) => tilted(head, last, angles))}
          cuts={sections.map(({ name, ...plane }, at) => ({ number: at + 1, name, plane }))}
          onAlong={({ plane }) => edit((last) => alongPlane(head, last, plane))}
          hint={t('obliqueHint')}
        />
      )}
    </div>
  )
}

function Through({ head, choice, edit, play, ...has }: Steering & { hasSlices: boolean; hasTime?: boolean }) {
  const change = (patch: Partial<Choice>) => edit((last) => ({ ...last, ...patch }))
  const { hasSlices, hasTime = true } = has
  return <Sliders {...{ head, choice, change, play, hasSlices, hasTime }} />
}

/** What both pictures may show. */
const factsOf = ([{ facts: one }, { facts: other }]: Two<Side>): Facts => ({
  ...one,
  hasMagnitude: one.hasMagnitude && other.hasMagnitude,
  hasDerived: one.hasDerived && other.hasDerived,
})

type LayersProps = { facts: Facts; choice: Choice; edit: (change: Edit) => void }

/** The same for both, linked or not. */
function Layers({ facts, choice, edit }: LayersProps) {
  const { t } = useTranslation(['flow-beside', 'flow-view'])
  const change = (patch: Partial<Choice>) => edit((last) => ({ ...last, ...patch }))
  const panel = { facts, choice, change }
  return (
    <Collapse
      destroyOnHidden
      items={[
        {
          key: 'layers',
          label: t('layers'),
          children: (
            <Tabs
              size="small"
              className={styles.layers ?? ''}
              items={[
                { key: 'layers', label: t('flow-view:tab.layers'), children: <LayersPanel {...panel} /> },
                { key: 'options', label: t('flow-view:tab.options'), children: <OptionsPanel {...panel} /> },
              ]}
            />
          ),
        },
      ]}
    />
  )
}

function Toggle({
  label,
  isOn,
  onChange,
}: {
  label: string
  isOn: boolean
  onChange: (is: boolean) => void
}) {
  return (
    <span className={styles.toggle}>
      <Switch size="small" checked={isOn} onChange={onChange} aria-label={label} />
      <strong>{label}</strong>
    </span>
  )
}
