import { Spark } from '../../../../ui/charts/spark.tsx'
import styles from './train.module.css'

type Props = { label: string; values: readonly number[]; last: string }

/** A small curve with its name and last value; the run's own page has the large one. */
export function Sparkline({ label, values, last }: Props) {
  if (values.length === 0) return null
  return (
    <figure className={styles.sparkline}>
      <figcaption>
        {label} <strong>{last}</strong>
      </figcaption>
      <div className={styles.curve}>
        <Spark values={values} />
      </div>
    </figure>
  )
}
