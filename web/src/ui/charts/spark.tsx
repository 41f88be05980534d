import styles from './spark.module.css'

const WIDTH = 140
const HEIGHT = 44
const EDGE = 4

/** A line without axes, as wide and high as its place: whether something goes up or down. What it ends with stands beside it. */
export function Spark({ values }: { values: readonly number[] }) {
  const least = Math.min(...values)
  const span = Math.max(...values) - least || 1
  const points = values.map((value, index) => {
    const x = values.length === 1 ? WIDTH / 2 : (index / (values.length - 1)) * WIDTH
    return `${x.toFixed(1)},${(HEIGHT - EDGE - ((value - least) / span) * (HEIGHT - 2 * EDGE)).toFixed(1)}`
  })
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
