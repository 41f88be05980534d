import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../../../ui/hooks/use-look.ts'
import { axisRange } from './curve-reading.ts'
import styles from './curves.module.css'

export type Line = { label: string; color: string; dashed: boolean; values: (number | null)[] }

type Props = {
  epochs: number[]
  lines: Line[]
  /** What is drawn, for the span of the upright axis. */
  name: string
  /** Charts of one key move their crosshairs together. */
  link: string
  /** Below the axis. */
  axisName: string
  /** Where a mark stands. */
  best: number | null
  /** Of the numbers along the upright axis. */
  formatTicks: (ticks: readonly number[]) => string[]
  /** The point under the pointer, as an index into `epochs`, or null. */
  onHover: (index: number | null) => void
}

/** One line chart, drawn on a canvas. Loaded only with a page that shows curves. */
export function CurveChart(props: Props) {
  const { epochs, lines, best } = props
  const holder = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const isDark = useIsDark()
  const look = lines.map(({ color, dashed }) => `${color}${dashed}${isDark}${props.axisName}`).join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: values follow below; only other lines need a new chart
  useEffect(() => {
    const element = holder.current
    // Without a drawing surface (printing, tests) the table beside the chart says the same.
    if (!element || !document.createElement('canvas').getContext('2d')) return
    const plot = new uPlot(optionsOf(element, latest), dataOf(epochs, lines), element)
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
  // Drawn as it stands: a redraw that builds the paths anew would put the old span in place of what new data ask for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark is drawn from the newest properties
  useEffect(() => chart.current?.redraw(false), [best])

  return <div ref={holder} className={styles.canvas} aria-hidden="true" />
}

const sizeOf = (element: HTMLElement) => ({
  width: Math.max(element.clientWidth, 160),
  height: Math.max(element.clientHeight, 120),
})

const dataOf = (epochs: number[], lines: Line[]): uPlot.AlignedData => [
  epochs,
  ...lines.map(({ values }) => values),
]

type Latest = { current: Props }

/** More points than these run into each other. */
const POINTED = 20

function optionsOf(element: HTMLElement, latest: Latest): uPlot.Options {
  const { lines, link, axisName } = latest.current
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const font = `12px ${token('--nl-font')}`
  const axis = { stroke: token('--nl-ink-soft'), font, ticks: { show: false } }
  const grid = { stroke: token('--nl-line'), width: 1 }
  return {
    ...sizeOf(element),
    legend: { show: false },
    cursor: { y: false, points: { size: 8 }, sync: { key: link } },
    scales: {
      x: { time: false },
      y: { range: (_, low, high) => axisRange(latest.current.name, low ?? 0, high ?? 1) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
        size: 24,
        label: axisName,
        labelFont: font,
        labelSize: 18,
        labelGap: 0,
      },
      { ...axis, grid, size: 52, values: (_, ticks) => latest.current.formatTicks(ticks) },
    ],
    series: [
      {},
      ...lines.map(({ label, color, dashed }) => ({
        label,
        stroke: token(color),
        width: 2,
        spanGaps: true,
        points: { size: 5, show: (plot: uPlot) => (plot.data[0]?.length ?? 0) < POINTED },
        ...(dashed ? { dash: [6, 4] } : {}),
      })),
    ],
    hooks: {
      setCursor: [(plot) => latest.current.onHover(plot.cursor.idx ?? null)],
      // Below the lines.
      drawAxes: [(plot) => drawBest(plot, latest.current.best, token('--nl-success'))],
    },
  }
}

/** An upright line at the best epoch, with a flag on top. */
function drawBest(plot: uPlot, best: number | null, color: string): void {
  if (best === null) return
  const { ctx, bbox } = plot
  const x = Math.round(plot.valToPos(best, 'x', true))
  if (x < bbox.left || x > bbox.left + bbox.width) return
  const unit = devicePixelRatio
  ctx.save()
  ctx.strokeStyle = color
  ctx.fillStyle = color
  ctx.lineWidth = 1.5 * unit
  ctx.setLineDash([3 * unit, 3 * unit])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  // It flies towards the middle.
  const side = x > bbox.left + bbox.width / 2 ? -1 : 1
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x + side * 10 * unit, bbox.top + 4 * unit)
  ctx.lineTo(x, bbox.top + 8 * unit)
  ctx.fill()
  ctx.restore()
}
