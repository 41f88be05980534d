import type { BlandAltman } from '@neuroloom/contract/statistics/bland-altman'
import { useTranslation } from 'react-i18next'
import charts from '../../../ui/charts/chart.module.css'
import { number } from './answer.ts'
import styles from './statistics.module.css'

const WIDTH = 460
const HEIGHT = 280
const LEFT = 56
const RIGHT = 76
const TOP = 10
const BOTTOM = 40
/** Of so many points some are drawn: more are one blot. */
const MOST = 4000

type Span = { from: number; to: number }

/** Differences against means, with bias and limits of agreement as lines and their intervals as bands. */
export function AgreementChart({ answer }: { answer: BlandAltman }) {
  const { t } = useTranslation('statistics')
  const { points, bias, lower, upper } = answer
  const x = spanOf(points.map(({ mean }) => mean))
  const y = spanOf([...points.map(({ difference }) => difference), lower.low, upper.high])
  const right = (value: number): number =>
    LEFT + ((value - x.from) / (x.to - x.from)) * (WIDTH - LEFT - RIGHT)
  const up = (value: number): number => TOP + ((y.to - value) / (y.to - y.from)) * (HEIGHT - TOP - BOTTOM)
  const step = Math.ceil(points.length / MOST)
  return (
    <figure className={`${charts.figure} ${styles.figure} ${styles.wideFigure}`}>
      <figcaption>{t('chart.agreement')}</figcaption>
      <p className={charts.upright}>{t('chart.difference')}</p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('chart.agreement')}>
        {[x.from, (x.from + x.to) / 2, x.to].map((tick) => (
          <text
            key={tick}
            className={charts.tick}
            x={right(tick)}
            y={HEIGHT - BOTTOM + 18}
            textAnchor="middle"
          >
            {number(tick)}
          </text>
        ))}
        <path className={charts.grid} d={`M${LEFT} ${up(0)}H${WIDTH - RIGHT}`} />
        <path className={charts.grid} d={`M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}`} fill="none" />
        {[y.from, 0, y.to]
          .filter((tick) => tick >= y.from && tick <= y.to)
          .map((tick) => (
            <text key={tick} className={charts.tick} x={LEFT - 6} y={up(tick) + 4} textAnchor="end">
              {number(tick)}
            </text>
          ))}
        {[lower, bias, upper].map(({ value, low, high }) => (
          <g key={value}>
            <rect
              className={styles.band}
              x={LEFT}
              width={WIDTH - LEFT - RIGHT}
              y={up(high)}
              height={Math.max(0, up(low) - up(high))}
            />
            <path
              className={value === bias.value ? charts.line : charts.guide}
              d={`M${LEFT} ${up(value)}H${WIDTH - RIGHT}`}
            />
            <text className={charts.tick} x={WIDTH - RIGHT + 6} y={up(value) + 4}>
              {number(value)}
            </text>
          </g>
        ))}
        {points
          .filter((_, k) => k % step === 0)
          .map(({ mean, difference }, k) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points have no name, and their order never changes.
            <circle key={k} className={styles.point} cx={right(mean)} cy={up(difference)} r={3} />
          ))}
        <text className={charts.axis} x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4} textAnchor="middle">
          {t('chart.mean')}
        </text>
      </svg>
    </figure>
  )
}

/** With a little room at both ends. */
function spanOf(values: readonly number[]): Span {
  const [from, to] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  const room = (to - from || 1) * 0.06
  return { from: from - room, to: to + room }
}
