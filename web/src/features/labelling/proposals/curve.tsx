import { type Order, orders } from '@neuroloom/contract/labelling/next'
import type { LabelRound } from '@neuroloom/contract/labelling/proposals'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import styles from './proposals.module.css'

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [420, 160, 44, 10, 24]

type Point = { labels: number; score: number; order: Order }

/** The score by the number of labels: a line of all rounds, whose marks tell the order; what it says stands in the table too. */
export function Curve({ rounds, title }: { rounds: readonly LabelRound[]; title: string }) {
  const { t } = useTranslation('proposals')
  const points = rounds.flatMap(({ labels, score, order }): Point[] =>
    labels === null || score === null ? [] : [{ labels, score, order }],
  )
  if (points.length < 2) return null
  const most = Math.max(...points.map(({ labels }) => labels))
  const x = (labels: number) => LEFT + (labels / most) * (WIDTH - LEFT - 16)
  const y = (score: number) => TOP + (1 - score) * (HEIGHT - TOP - BOTTOM)
  return (
    <figure className={styles.curve}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('rounds.curve', { metric: title })}>
        {[0, 0.5, 1].map((tick) => (
          <g key={tick}>
            <path className={styles.grid} d={`M${LEFT} ${y(tick)}H${WIDTH - 16}`} />
            <text className={styles.tick} x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
              {formatPercent(tick, 0)}
            </text>
          </g>
        ))}
        {orders.map((order) => (
          <polyline
            key={order}
            className={styles.line}
            data-order={order}
            points={points
              .filter((point) => point.order === order)
              .map(({ labels, score }) => `${x(labels)},${y(score)}`)
              .join(' ')}
          />
        ))}
        {points.map(({ labels, score, order }) => (
          <circle
            key={`${labels} ${order} ${score}`}
            className={styles.dot}
            data-order={order}
            cx={x(labels)}
            cy={y(score)}
            r={4}
          />
        ))}
        {points.map(({ labels }) => (
          <text key={labels} className={styles.tick} x={x(labels)} y={HEIGHT - 6} textAnchor="middle">
            {formatNumber(labels)}
          </text>
        ))}
      </svg>
      <figcaption className={styles.key}>
        {orders.map((order) => (
          <span key={order} data-order={order}>
            {t(`orderName.${order}`)}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
