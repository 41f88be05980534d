import styles from './home.module.css'

/** How wide a picture is on its way through a network of the task. */
const widths: Record<string, readonly number[]> = {
  classification: [30, 26, 20, 14, 8],
  segmentation: [30, 20, 10, 20, 30],
  'super-resolution': [10, 10, 14, 22, 30],
  denoising: [24, 24, 24, 24, 24],
  detection: [30, 22, 16, 16, 16],
  flow: [16, 22, 22, 26, 30],
}

/** A small picture of the kind of network: it narrows, widens, or both. */
export function NetworkGlyph({ task }: { task: string }) {
  const bars = widths[task] ?? widths.classification ?? []
  return (
    <svg className={styles.glyph} viewBox="0 0 40 40" aria-hidden="true">
      {bars.map((width, k) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          key={k}
          x={20 - width / 2}
          y={3.5 + k * 7}
          width={width}
          height={5}
          rx={2.5}
          opacity={0.45 + 0.11 * k}
        />
      ))}
    </svg>
  )
}
