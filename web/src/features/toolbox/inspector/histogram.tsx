import styles from '../toolbox.module.css'

const HEIGHT = 20

/** How numbers lie between the least and the greatest; decoration beside the figures. */
export function Histogram({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts)
  return (
    <svg className={styles.histogram} viewBox={`0 0 ${counts.length * 3} ${HEIGHT}`} aria-hidden>
      {counts.map((count, index) => {
        const height = (Math.sqrt(count / most) * HEIGHT).toFixed(1)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bins in their order
            key={index}
            x={index * 3}
            y={HEIGHT - Number(height)}
            width={2}
            height={height}
          />
        )
      })}
    </svg>
  )
}
