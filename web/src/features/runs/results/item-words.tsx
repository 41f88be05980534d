import { CheckCircleFilled, CloseCircleFilled, MinusCircleFilled } from '@ant-design/icons'
import { SURE_BOX } from '@neuroloom/contract/decision'
import { mainMetric } from '@neuroloom/contract/metric'
import { namedClass, namedLabels } from '@neuroloom/contract/named'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import type { Item } from './item-kind.ts'
import { itemKind } from './item-kind.ts'
import { ItemName } from './item-name.tsx'
import styles from './items.module.css'

type Props = {
  item: Item
  run: Pick<LearnedRun, 'task' | 'classes'>
  /** At most so many answers. */
  most: number
}

/** What the network says of one picture, in the way of its task. */
export function ItemWords(props: Props) {
  switch (itemKind[props.run.task]) {
    case 'class':
      return <Prediction {...props} />
    case 'labels':
      return <Labels {...props} />
    case 'boxes':
      return <BoxCounts {...props} />
    case 'outlines':
    case 'restored':
      return <Figure {...props} />
  }
}

/** Truth and the likeliest classes with their probabilities as bars. */
function Prediction({ item, run: { classes }, most }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const ranked = rankedOf(item, classes).slice(0, most)
  const isRight = item.truth !== null && namedClass(item) === item.truth
  return (
    <>
      {item.truth === null ? null : (
        <span className={styles.truth}>
          {isRight ? (
            <CheckCircleFilled className={styles.right} role="img" aria-label={t('results:items.right')} />
          ) : (
            <CloseCircleFilled className={styles.wrong} role="img" aria-label={t('results:items.wrong')} />
          )}
          {t('results:items.truth', { name: classes[item.truth] ?? item.truth })}
        </span>
      )}
      {ranked.map(({ index, name, probability }) => (
        <span key={index} className={styles.guess}>
          <span className={styles.guessName}>{name}</span>
          <Sure probability={probability} isTrue={index === item.truth} />
        </span>
      ))}
    </>
  )
}

const verdicts = ['found', 'missed', 'falseAlarm'] as const
type Verdict = (typeof verdicts)[number]

/** Each label that is there or was named, with what became of it; then the likeliest of the others. */
function Labels({ item, run: { classes }, most }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const named = namedLabels(item)
  const ranked = rankedOf(item, classes).map((one) => ({
    ...one,
    verdict: verdictOf(item, one.index, named.includes(one.index)),
  }))
  const told = ranked.filter(({ verdict }) => verdict !== null)
  const others = ranked.filter(({ verdict }) => verdict === null)
  return (
    <>
      <ItemName name={item.name} />
      {told.length === 0 ? <span className={styles.truth}>{t('results:items.noFindings')}</span> : null}
      {[...told, ...others]
        .slice(0, Math.max(most, told.length))
        .map(({ index, name, probability, verdict }) => (
          <span key={index} className={styles.guess}>
            <span className={styles.guessName}>
              {verdict === null ? null : <VerdictMark verdict={verdict} />} {name}
            </span>
            <Sure probability={probability} isTrue={verdict === 'found' || verdict === 'missed'} />
          </span>
        ))}
    </>
  )
}

/** What the marks before the labels mean. */
export function LabelLegend() {
  const { t } = useTranslation(['runs', 'results'])
  return (
    <ul className={styles.legend}>
      {verdicts.map((verdict) => (
        <li key={verdict}>
          <VerdictMark verdict={verdict} isNamed /> {t(`results:items.label.${verdict}`)}
        </li>
      ))}
    </ul>
  )
}

function verdictOf({ labels }: Item, index: number, isNamed: boolean): Verdict | null {
  const isTrue = labels?.includes(index) ?? false
  if (isNamed) return isTrue ? 'found' : 'falseAlarm'
  return isTrue ? 'missed' : null
}

/** `isNamed`: its name stands beside it. */
function VerdictMark({ verdict, isNamed = false }: { verdict: Verdict; isNamed?: boolean }) {
  const { t } = useTranslation(['runs', 'results'])
  const label = t(`results:items.label.${verdict}`)
  const props = isNamed
    ? ({ 'aria-hidden': true } as const)
    : ({ role: 'img', 'aria-label': label, title: label } as const)
  switch (verdict) {
    case 'found':
      return <CheckCircleFilled {...props} className={styles.right} />
    case 'missed':
      return <MinusCircleFilled {...props} className={styles.wrong} />
    case 'falseAlarm':
      return <CloseCircleFilled {...props} className={styles.wrong} />
  }
}

function Sure({ probability, isTrue }: { probability: number; isTrue: boolean }) {
  return (
    <>
      <span className={styles.guessShare}>{formatPercent(probability, 1)}</span>
      <span className={styles.bar} data-truth={isTrue}>
        <span style={{ width: `${Math.round(probability * 100)}%` }} />
      </span>
    </>
  )
}

function rankedOf({ probabilities }: Item, classes: readonly string[]) {
  return probabilities
    .map((probability, index) => ({ index, probability, name: classes[index] ?? String(index + 1) }))
    .sort((a, b) => b.probability - a.probability)
}

/** The score is the F1 of an image's boxes: twice the right ones, of all found and true ones. */
const rightBoxes = (score: number | null, all: number): number => Math.round(((score ?? 0) * all) / 2)

/** How many boxes, and how well they fit. */
function BoxCounts({ item }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const { boxes, score } = item
  // Those that the network believes in; the list holds unsure ones too.
  const found = item.values.found ?? boxes?.found.filter(({ score: sure }) => sure >= SURE_BOX).length ?? 0
  const truth = boxes?.truth.length ?? 0
  return (
    <>
      <ItemName name={item.name} />
      {boxes === null ? null : (
        <span className={styles.truth}>
          {t('results:items.boxCounts', {
            found: formatNumber(found),
            truth: formatNumber(truth),
            right: formatNumber(rightBoxes(score, found + truth)),
          })}
        </span>
      )}
      <span>
        {score === null ? t('results:items.noLabel') : `${t('metric.f1.name')} ${formatMetric('f1', score)}`}
      </span>
    </>
  )
}

/** The one figure that stands for the picture. */
function Figure({ item, run: { task } }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const metric = mainMetric[task]
  return (
    <>
      <ItemName name={item.name} />
      <span className={styles.truth}>
        {item.score === null
          ? t('results:items.noLabel')
          : `${t(`metric.${metric}.name`)} ${formatMetric(metric, item.score)}`}
      </span>
    </>
  )
}
