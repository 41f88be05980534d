import styles from './train.module.css'

type Props = { label: string; values: readonly number[]; last: string }

const width = 140
const height = 44

/** A small curve: whether it goes up or down; the run's own page has the large one. */
export function Sparkline({ label, values, last }: Props) {
  if (values.length === 0) return null
  const least = Math.min(...values)
  const span = Math.max(...values) - least || 1
  const points = values.map((value, k) => {
    const x = values.length === 1 ? width / 2 : (k / (values.length - 1)) * width
    return `${x.toFixed(1)},${(height - 4 - ((value - least) / span) * (height - 8)).toFixed(1)}`
  })
  return (
    <figure className={styles.sparkline}>
      <figcaption>
        {label} <strong>{last}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
    </figure>
  )
}
