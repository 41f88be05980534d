import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../lib/format.ts'
import { formatMetric, mainMetric } from '../../lib/metric.ts'
import styles from './items.module.css'

export type Item = Answer<'runs/items'>['items'][number]

type Props = { item: Item; run: Run; onOpen: (item: Item) => void }

/** One picture and what the network says of it. */
export function ItemCard({ item, run, onOpen }: Props) {
  const { t } = useTranslation('runs')
  return (
    <div className={styles.card}>
      <button
        type="button"
        className={styles.open}
        onClick={() => onOpen(item)}
        aria-label={t('items.enlarge', { name: item.name })}
      >
        <Picture item={item} />
      </button>
      <span className={styles.body}>
        {run.task === 'classification' ? (
          <Prediction item={item} classes={run.classes} shownClasses={3} />
        ) : (
          <Overlap item={item} />
        )}
      </span>
    </div>
  )
}

function Picture({ item }: { item: Item }) {
  const source = item.overlay ?? item.image
  const { t } = useTranslation('runs')
  const alt = item.overlay ? t('items.overlayAlt', { name: item.name }) : item.name
  return (
    <span className={styles.picture}>{source ? <img src={source} alt={alt} loading="lazy" /> : null}</span>
  )
}

/** Truth and the likeliest classes with their probabilities as bars. */
export function Prediction({
  item,
  classes,
  shownClasses,
}: {
  item: Item
  classes: readonly string[]
  shownClasses: number
}) {
  const { t } = useTranslation('runs')
  const ranked = item.probabilities
    .map((probability, index) => ({ index, probability, name: classes[index] ?? String(index + 1) }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, shownClasses)
  const isRight = item.truth !== null && ranked[0]?.index === item.truth
  return (
    <>
      {item.truth === null ? null : (
        <span className={styles.truth}>
          {isRight ? (
            <CheckCircleFilled className={styles.right} role="img" aria-label={t('items.right')} />
          ) : (
            <CloseCircleFilled className={styles.wrong} role="img" aria-label={t('items.wrong')} />
          )}
          {t('items.truth', { name: classes[item.truth] ?? item.truth })}
        </span>
      )}
      {ranked.map(({ index, name, probability }) => (
        <span key={index} className={styles.guess}>
          <span className={styles.guessName}>{name}</span>
          <span className={styles.guessShare}>{formatPercent(probability, 1)}</span>
          <span className={styles.bar} data-truth={index === item.truth}>
            <span style={{ width: `${Math.round(probability * 100)}%` }} />
          </span>
        </span>
      ))}
    </>
  )
}

function Overlap({ item }: { item: Item }) {
  const { t } = useTranslation('runs')
  return (
    <>
      <span className={styles.name}>{item.name}</span>
      <span className={styles.truth}>
        {item.score === null
          ? t('items.noLabel')
          : `${t(`metric.${mainMetric.segmentation}.name`)} ${formatMetric(mainMetric.segmentation, item.score)}`}
      </span>
    </>
  )
}
