import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../../../ui/hooks/use-look.ts'
import styles from './curves.module.css'

export type Line = { label: string; color: string; dashed: boolean; values: (number | null)[] }

type Props = {
  epochs: number[]
  lines: Line[]
  /** Of the numbers along the upright axis. */
  formatTicks: (ticks: readonly number[]) => string[]
  /** The point under the pointer, as an index into `epochs`, or null. */
  onHover: (index: number | null) => void
}

/** One line chart, drawn on a canvas. Loaded only with a page that shows curves. */
export function CurveChart({ epochs, lines, formatTicks, onHover }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const latest = useRef({ formatTicks, onHover })
  latest.current = { formatTicks, onHover }
  const isDark = useIsDark()
  const look = lines.map(({ color, dashed }) => `${color}${dashed}${isDark}`).join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: values follow below; only other lines need a new chart
  useEffect(() => {
    const element = holder.current
    // Without a drawing surface (printing, tests) the table beside the chart says the same.
    if (!element || !document.createElement('canvas').getContext('2d')) return
    const plot = new uPlot(optionsOf(element, lines, latest), dataOf(epochs, lines), element)
    chart.current = plot
    const observer = new ResizeObserver(() => plot.setSize(sizeOf(element)))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
      chart.current = null
    }
  }, [look])

  useEffect(() => chart.current?.setData(dataOf(epochs, lines)), [epochs, lines])

  return <div ref={holder} className={styles.canvas} aria-hidden="true" />
}

const sizeOf = (element: HTMLElement) => ({ width: Math.max(element.clientWidth, 160), height: 200 })

const dataOf = (epochs: number[], lines: Line[]): uPlot.AlignedData => [
  epochs,
  ...lines.map(({ values }) => values),
]

type Latest = { current: Pick<Props, 'formatTicks' | 'onHover'> }

function optionsOf(element: HTMLElement, lines: Line[], latest: Latest): uPlot.Options {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const axis = { stroke: token('--nl-ink-soft'), font: `12px ${token('--nl-font')}`, ticks: { show: false } }
  const grid = { stroke: token('--nl-line'), width: 1 }
  return {
    ...sizeOf(element),
    legend: { show: false },
    cursor: { y: false, points: { size: 8 } },
    scales: { x: { time: false } },
    axes: [
      { ...axis, grid: { show: false }, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500], size: 28 },
      { ...axis, grid, size: 56, values: (_, ticks) => latest.current.formatTicks(ticks) },
    ],
    series: [
      {},
      ...lines.map(({ label, color, dashed }) => ({
        label,
        stroke: token(color),
        width: 2,
        spanGaps: true,
        points: { size: 5, show: lines.every(({ values }) => values.length <= 40) },
        ...(dashed ? { dash: [6, 4] } : {}),
      })),
    ],
    hooks: {
      setCursor: [(plot) => latest.current.onHover(plot.cursor.idx ?? null)],
    },
  }
}
