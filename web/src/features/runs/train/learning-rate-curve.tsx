import { useTranslation } from 'react-i18next'
import { formatRate } from '../../../lib/format.ts'
import { learningRates, type Schedule } from './learning-rates.ts'
import styles from './settings.module.css'
import type { Draft } from './settings-draft.ts'

const width = 320
const height = 72

/** The planned learning rate over all epochs, drawn: what "cosine" or "decay ratio" mean becomes visible. */
export function LearningRateCurve({ draft, hasErrors }: { draft: Draft; hasErrors: boolean }) {
  const { t } = useTranslation('runs')
  const schedule = hasErrors ? null : scheduleOf(draft)
  if (!schedule) return <p className={styles.curveText}>{t('settings.curveMissing')}</p>
  const rates = learningRates(schedule)
  const [first, last] = [rates[0] ?? 0, rates.at(-1) ?? 0]
  const text = t('settings.curveText', {
    first: formatRate(first),
    highest: formatRate(Math.max(...rates)),
    last: formatRate(last),
    count: schedule.epochs,
  })
  return (
    <figure className={styles.curve}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={text}>
        <polygon points={`0,${height} ${pointsOf(rates)} ${width},${height}`} className={styles.curveArea} />
        <polyline points={pointsOf(rates)} className={styles.curveLine} />
      </svg>
      <figcaption className={styles.curveText}>
        {text}
        {schedule.scheduler === 'plateau' ? ` ${t('settings.curvePlateau')}` : ''}
      </figcaption>
    </figure>
  )
}

function scheduleOf({ learningRate, scheduler, decayInterval, decayRatio, epochs }: Draft): Schedule | null {
  if (learningRate === null || epochs === null) return null
  return { learningRate, scheduler, decayInterval: decayInterval ?? 1, decayRatio: decayRatio ?? 1, epochs }
}

function pointsOf(rates: readonly number[]): string {
  const peak = Math.max(...rates, Number.MIN_VALUE)
  const drawn = rates.length === 1 ? [rates[0] ?? 0, rates[0] ?? 0] : rates
  return drawn
    .map((rate, index) => {
      const x = (index / (drawn.length - 1)) * width
      const y = height - 4 - (rate / peak) * (height - 8)
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    .join(' ')
}
