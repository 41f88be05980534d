import { type EdgeProps, getBezierPath } from '@xyflow/react'
import { memo } from 'react'
import { sides, type WireEdge } from '../flow.ts'
import type { Direction, Point } from '../geometry.ts'
import styles from './wire.module.css'

/** One connection with the shape that flows along it; dashed while the shape is not known. */
export const WireLine = memo(function WireLine(props: EdgeProps<WireEdge>) {
  const { id, data, sourceX, sourceY, targetX, targetY } = props
  if (data === undefined) return null
  const { wire, label, hint, isNear } = data
  const { path, at } = lineOf([sourceX, sourceY], [targetX, targetY], data)
  return (
    <g
      className={styles.wire}
      data-wire={id}
      data-waiting={wire.type === null}
      data-near={isNear}
      data-pale={wire.isReadOnly}
    >
      <path className={styles.wide} d={path} />
      <path className={styles.line} d={path} />
      {label !== '' && (
        <text className={styles.label} x={at[0]} y={at[1]} textAnchor="middle" dominantBaseline="central">
          {label}
          {hint !== '' && hint !== label && <title>{hint}</title>}
        </text>
      )}
    </g>
  )
})

/** Through the corners of a long way as one smooth curve. */
function lineOf(from: Point, to: Point, { wire, corner, direction }: NonNullable<WireEdge['data']>): Line {
  if (wire.via.length === 0) {
    const [path, x, y] = getBezierPath({
      sourceX: from[0],
      sourceY: from[1],
      sourcePosition: sides[direction].outlet,
      targetX: to[0],
      targetY: to[1],
      targetPosition: sides[direction].inlet,
    })
    return { path, at: [x, y] }
  }
  const [dx, dy] = [to[0] - corner[0], to[1] - corner[1]]
  const points: Point[] = [from, ...wire.via.map(([x, y]): Point => [x + dx, y + dy]), to]
  // Long ways run beside each other; at their ends they are apart.
  const last = points.at(-2) ?? to
  return { path: smooth(points, direction), at: last }
}

interface Line {
  path: string
  at: Point
}

/** At every point in the direction of the flow, so that the curve passes between the cards. */
function smooth(points: readonly Point[], direction: Direction): string {
  const [[x0, y0] = [0, 0], ...rest] = points
  let [path, y] = [`M${x0},${y0}`, y0]
  let x = x0
  for (const [nx, ny] of rest) {
    const [across, down] = direction === 'right' ? [(nx - x) / 2, 0] : [0, (ny - y) / 2]
    path += `C${x + across},${y + down} ${nx - across},${ny - down} ${nx},${ny}`
    ;[x, y] = [nx, ny]
  }
  return path
}
