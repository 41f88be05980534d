import { formatNumber } from '../../../lib/format.ts'
import { ticksOf } from './draw/shapes.ts'
import styles from './viewer.module.css'

type CurveProps = {
  label: string
  unit: string
  x: readonly number[]
  /** Under the curve. */
  xUnit: string
  lines: { name: string; values: readonly number[] }[]
  /** Which of the places is shown in the picture. */
  at: number
}

const WIDTH = 320
const HEIGHT = 132
const LEFT = 42
const RIGHT = 8
const TOP = 18
const LOW = 22
/** As far apart as the tables of colours for other things have them. */
const INKS = 4

/** Values over time, small: what they are in numbers stands beside. */
export function Curve({ label, unit, x, xUnit, lines, at }: CurveProps) {
  const all = lines.flatMap(({ values }) => values.filter(Number.isFinite))
  const low = Math.min(0, ...all)
  const high = Math.max(0, ...all)
  const span = high - low || 1
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 1]
  // Nobody counts half epochs.
  const isWhole = x.every(Number.isInteger)
  const across = ticksOf(first, last, 5).filter((tick) => !isWhole || Number.isInteger(tick))
  const right = (value: number) => LEFT + ((value - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT)
  const up = (value: number) => TOP + (1 - (value - low) / span) * (HEIGHT - TOP - LOW)
  const path = (values: readonly number[]) =>
    values
      .map((value, index) =>
        Number.isFinite(value) ? `${right(x[index] ?? 0).toFixed(1)},${up(value).toFixed(1)}` : '',
      )
      .join(' ')
  return (
    <figure className={styles.curve}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <text className={styles.tick} x={2} y={11}>
          {unit}
        </text>
        {ticksOf(low, high, 4).map((tick) => (
          <g key={tick}>
            <path
              className={tick === 0 ? styles.axis : styles.grid}
              d={`M${LEFT} ${up(tick)}H${WIDTH - RIGHT}`}
            />
            <text className={styles.tick} x={LEFT - 5} y={up(tick) + 4} textAnchor="end">
              {formatNumber(tick, 2)}
            </text>
          </g>
        ))}
        {across.map((tick) => (
          <text
            key={tick}
            className={styles.tick}
            x={right(tick)}
            y={HEIGHT - 8}
            textAnchor={tick > last - (last - first) / 12 ? 'end' : 'middle'}
          >
            {formatNumber(tick, 2)}
          </text>
        ))}
        <path className={styles.now} d={`M${right(x[at] ?? 0)} ${TOP}V${HEIGHT - LOW}`} />
        {lines.map(({ name, values }, index) => (
          <polyline key={name} className={styles.line} data-ink={index % INKS} points={path(values)} />
        ))}
        <text className={styles.tick} x={WIDTH - RIGHT} y={11} textAnchor="end">
          {xUnit}
        </text>
      </svg>
      {lines.length > 1 && (
        <figcaption className={styles.key}>
          {lines.map(({ name }, index) => (
            <span key={name}>
              <svg viewBox="0 0 20 8" width="20" height="8" aria-hidden="true">
                <path className={styles.line} data-ink={index % INKS} d="M0 4H20" />
              </svg>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}
