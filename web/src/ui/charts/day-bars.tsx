/** Small bars, one for each day or minute; knows nothing of what it counts. Figures are also there as a table for screen readers. */
import { useId } from 'react'
import styles from './day-bars.module.css'

type Bar = {
  /** Told when it is pointed at, and in the table. */
  label: string
  value: number
  /** The part of `value` that is drawn in the colour of trouble. */
  trouble?: number
}
type Props = {
  title: string
  /** What all bars say together, in words. */
  summary: string
  bars: readonly Bar[]
  format: (value: number) => string
  columns: { day: string; value: string }
  /** Below the first and the last bar. */
  ends: [first: string, last: string]
  /** What fills the whole height; without it, the highest bar does. */
  top?: number
}

const WIDTH = 300
const HEIGHT = 64
const GAP = 2

export function DayBars({ title, summary, bars, format, columns, ends, ...rest }: Props) {
  const id = useId()
  const top = rest.top ?? Math.max(1, ...bars.map(({ value }) => value))
  const step = WIDTH / Math.max(1, bars.length)
  const heightOf = (value: number): number => (Math.max(0, value) / top) * HEIGHT
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption>
        <span id={id} className={styles.title}>
          {title}
        </span>
        <strong>{summary}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`} aria-hidden="true" preserveAspectRatio="none">
        <path className={styles.base} d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
        {bars.map(({ label, value, trouble = 0 }, place) => (
          <g key={label}>
            <title>{`${label}: ${format(value)}`}</title>
            {/* The whole height can be pointed at. */}
            <rect className={styles.reach} x={place * step} y={0} width={step} height={HEIGHT} />
            <rect
              className={styles.bar}
              x={place * step + GAP / 2}
              y={HEIGHT - heightOf(value)}
              width={step - GAP}
              height={heightOf(value)}
            />
            {trouble > 0 && (
              <rect
                className={styles.trouble}
                x={place * step + GAP / 2}
                y={HEIGHT - heightOf(trouble)}
                width={step - GAP}
                height={heightOf(trouble)}
              />
            )}
          </g>
        ))}
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
      <div className="nl-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th>{columns.day}</th>
              <th>{columns.value}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <td>{label}</td>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
