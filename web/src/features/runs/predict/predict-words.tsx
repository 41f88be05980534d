import { boxesCount } from '@neuroloom/contract/decision'
import { namedClass, namedLabels } from '@neuroloom/contract/named'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import type { Item } from '../results/item-kind.ts'
import { itemKind } from '../results/item-kind.ts'
import styles from '../results/items.module.css'

type Props = {
  item: Item
  run: Pick<LearnedRun, 'task' | 'classes'>
  /** At most so many answers. */
  most: number
}

/** What the network says of a picture whose truth nobody knows. */
export function PredictWords(props: Props) {
  switch (itemKind[props.run.task]) {
    case 'class':
      return <Guesses {...props} />
    case 'labels':
      return <Labels {...props} />
    case 'boxes':
      return <Boxes {...props} />
    case 'outlines':
      return <Areas {...props} />
    case 'restored':
      return null
  }
}

function Guesses({ item, run, most }: Props) {
  const named = namedClass(item)
  return rankedOf(item, run.classes)
    .slice(0, most)
    .map((one, place) => <Guess key={one.index} {...one} isNamed={place > 0 && one.index === named} />)
}

/** All labels that are named, then the likeliest of the others. */
function Labels({ item, run, most }: Props) {
  const { t } = useTranslation('predict')
  const ranked = rankedOf(item, run.classes)
  const labels = namedLabels(item)
  const named = labels.length
  ranked.sort((a, b) => Number(labels.includes(b.index)) - Number(labels.includes(a.index)))
  return (
    <>
      {named === 0 ? <span className={styles.truth}>{t('item.noFindings')}</span> : null}
      {ranked.slice(0, Math.max(most, named)).map((one) => (
        <Guess key={one.index} {...one} isNamed={labels.includes(one.index)} />
      ))}
    </>
  )
}

type Ranked = { index: number; name: string; probability: number }

function Guess({ name, probability, isNamed = false }: Ranked & { isNamed?: boolean }) {
  return (
    <span className={styles.guess}>
      <span className={styles.guessName}>{isNamed ? <b>{name}</b> : name}</span>
      <span className={styles.guessShare}>{formatPercent(probability, 1)}</span>
      <span className={styles.bar} data-truth="unknown">
        <span style={{ width: `${Math.round(probability * 100)}%` }} />
      </span>
    </span>
  )
}

function rankedOf({ probabilities }: Item, classes: readonly string[]): Ranked[] {
  return probabilities
    .map((probability, index) => ({ index, probability, name: classes[index] ?? String(index + 1) }))
    .sort((a, b) => b.probability - a.probability)
}

/** Such as `RBC 21 · WBC 1`: how many of each class, without those of which there are none. */
export const perClass = (classes: readonly string[], counts: readonly number[]): string =>
  classes
    .flatMap((name, index) => (counts[index] ? `${name} ${formatNumber(counts[index])}` : []))
    .join(' · ')

/** How many boxes of each class it believes in, and the surest of them. */
function Boxes({ item: { boxes, values }, run, most }: Props) {
  const { t } = useTranslation('predict')
  const found = boxes?.found.slice(0, values.found ?? 0) ?? []
  // The list holds the surest boxes alone; in predictions from before they were counted it is all there is.
  const counts = run.classes.map(
    (_, index) => values[boxesCount(index)] ?? found.filter((box) => box.class === index).length,
  )
  return (
    <>
      <span className={styles.truth}>
        {found.length === 0 ? t('item.noBoxes') : perClass(run.classes, counts)}
      </span>
      {found.slice(0, most).map((box) => (
        <span key={`${box.class} ${box.x0} ${box.y0} ${box.x1} ${box.y1}`}>
          {t('item.box', {
            name: run.classes[box.class] ?? box.class + 1,
            share: formatPercent(box.score, 0),
          })}
        </span>
      ))}
    </>
  )
}

/** How much of the picture each structure takes; of a volume how many millilitres. */
function Areas({ item: { values }, run, most }: Props) {
  const { t } = useTranslation('predict')
  const classNameOf = useClassName(run.task)
  const marked = Object.entries(values).filter(([, value]) => (value ?? 0) > 0)
  if (marked.length === 0) return <span className={styles.truth}>{t('item.nothing')}</span>
  return marked
    .slice(0, most)
    .map(([name, value]) => (
      <span key={name}>
        {run.task === 'volume_segmentation'
          ? t('item.volume', { name: classNameOf(name), value: formatNumber(value ?? 0, 2) })
          : t('item.share', { name: classNameOf(name), share: formatPercent(value ?? 0, 1) })}
      </span>
    ))
}
