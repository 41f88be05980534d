/** A chart of two shares: ROC curves, precision and recall, calibration. Knows nothing of what it draws. */
import { formatPercent } from '../../lib/format.ts'
import styles from './chart.module.css'

type Point = [number, number]
type Props = {
  title: string
  x: string
  y: string
  /** Shares from 0 to 1, drawn as one line. */
  points: Point[]
  /** A second line to compare with, and what the two are called. */
  second?: { points: Point[]; names: [first: string, second: string] } | null
  /** Where one stands now. */
  marked?: Point | null
  /** What guessing would give: the diagonal, or a level; null where one cannot guess. */
  guide: 'diagonal' | number | null
}

const SIDE = 240
const LEFT = 44
const TOP = 10
/** Half of the last number below the axis reaches beyond it. */
const RIGHT = 18
const TICKS = [0, 0.25, 0.5, 0.75, 1]

const right = (value: number): number => LEFT + value * SIDE
const up = (value: number): number => TOP + (1 - value) * SIDE
const place = ([x, y]: Point): string => `${right(x).toFixed(1)},${up(y).toFixed(1)}`

/** Two shares against each other. What it says in figures stands beside it as text. */
export function SquareChart({ title, x, y, points, second = null, marked, guide }: Props) {
  return (
    <figure className={styles.figure}>
      <figcaption>{title}</figcaption>
      {/* Above the axis, where it reads without turning one's head. */}
      <p className={styles.upright}>{y}</p>
      <svg viewBox={`0 0 ${LEFT + SIDE + RIGHT} ${TOP + SIDE + 40}`} role="img" aria-label={title}>
        {TICKS.map((tick) => (
          <g key={tick}>
            <path
              className={styles.grid}
              d={`M${right(tick)} ${up(0)}V${up(1)}M${right(0)} ${up(tick)}H${right(1)}`}
            />
            <text className={styles.tick} x={right(tick)} y={up(0) + 16} textAnchor="middle">
              {formatPercent(tick, 0)}
            </text>
            <text className={styles.tick} x={LEFT - 6} y={up(tick) + 4} textAnchor="end">
              {formatPercent(tick, 0)}
            </text>
          </g>
        ))}
        {guide === null ? null : <Guide guide={guide} />}
        <polyline className={styles.line} points={points.map(place).join(' ')} />
        {second && (
          <polyline
            className={`${styles.line} ${styles.second}`}
            points={second.points.map(place).join(' ')}
          />
        )}
        {marked ? <circle className={styles.marked} cx={right(marked[0])} cy={up(marked[1])} r={6} /> : null}
        <text className={styles.axis} x={right(0.5)} y={up(0) + 36} textAnchor="middle">
          {x}
        </text>
      </svg>
      {second && (
        <ul className={styles.key}>
          {second.names.map((name, index) => (
            <li key={name}>
              <svg viewBox="0 0 20 10" aria-hidden="true">
                <path className={index === 0 ? styles.line : `${styles.line} ${styles.second}`} d="M0 5H20" />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}

function Guide({ guide }: { guide: 'diagonal' | number }) {
  const [from, to] = guide === 'diagonal' ? [0, 1] : [guide, guide]
  return <path className={styles.guide} d={`M${right(0)} ${up(from)}L${right(1)} ${up(to)}`} />
}
