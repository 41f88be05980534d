import { SURE_BOX } from '@neuroloom/contract/decision'
import { classToken } from '../../../lib/class-colour.ts'
import { formatPercent } from '../../../lib/format.ts'
import styles from './box-labels.module.css'
import type { Item } from './item-kind.ts'

/** Of the longer side of the image. */
const LETTERS = 1 / 28

export const boxColour = (classIndex: number): string => `var(${classToken(classIndex)})`

/** Over the picture with the boxes: whoever points at one reads its class and how sure the network is. */
export function BoxLabels({ item, classes }: { item: Item; classes: readonly string[] }) {
  const { boxes, size, values } = item
  if (!boxes || !size) return null
  const believed = values.found ?? boxes.found.filter(({ score }) => score >= SURE_BOX).length
  const [width, height] = size
  const letters = Math.max(width, height) * LETTERS
  // The smallest last, so that none is covered by a larger one.
  const shown = boxes.found.slice(0, believed).sort((one, other) => areaOf(other) - areaOf(one))
  return (
    <svg className={styles.labels} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {shown.map(({ class: index, score, x0, y0, x1, y1 }) => (
        <g key={`${index} ${x0} ${y0} ${x1} ${y1}`} className={styles.box}>
          <rect x={x0} y={y0} width={x1 - x0} height={y1 - y0} style={{ stroke: boxColour(index) }} />
          <text
            x={x0 + (x1 - x0) / 2}
            y={y0 > 2 * letters ? y0 - letters / 2 : y1 + 1.2 * letters}
            fontSize={letters}
            strokeWidth={letters / 4}
          >
            {`${classes[index] ?? index + 1} ${formatPercent(score, 0)}`}
          </text>
        </g>
      ))}
    </svg>
  )
}

type Corners = { x0: number; y0: number; x1: number; y1: number }
const areaOf = ({ x0, y0, x1, y1 }: Corners): number => (x1 - x0) * (y1 - y0)
