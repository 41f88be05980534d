/** What lies over the picture: letters at the edges, the cursor, planes that flow is measured through, and the length of arrows. */
import type { Placing } from './frame.ts'
import { CHOSEN, DARK, INK, OTHER } from './ink.ts'
import { arrowShape } from './shapes.ts'

type Place = { column: number; row: number }

export type Marks = {
  letters: { left: string; right: string; top: string; bottom: string }
  cursor: Place | null
  /** Outlines as they are seen, with the number that names them; forward from the middle, in samples, null across the picture. */
  outlines: { name: string; points: Place[]; isChosen: boolean; forward: { from: Place; to: Place } | null }[]
  /** The first of two clicks. */
  begun: Place | null
  /** Length in samples of the arrow that the words name. */
  arrow: { length: number; width: number; colour: string; words: string } | null
}

type Ctx = CanvasRenderingContext2D

export function drawMarks(ctx: Ctx, placing: Placing, marks: Marks): void {
  for (const outline of marks.outlines) drawOutline(ctx, placing, outline)
  if (marks.begun) dot(ctx, placing, marks.begun)
  if (marks.cursor) cross(ctx, placing, marks.cursor)
  if (marks.arrow) arrowKey(ctx, placing, marks.arrow)
  const { x, y, width, height } = placing.image
  ctx.font = '600 13px sans-serif'
  write(ctx, marks.letters.left, x + 13, y + height / 2)
  write(ctx, marks.letters.right, x + width - 13, y + height / 2)
  write(ctx, marks.letters.top, x + width / 2, y + 12)
  write(ctx, marks.letters.bottom, x + width / 2, y + height - 12)
}

function write(ctx: Ctx, text: string, x: number, y: number, align: CanvasTextAlign = 'center'): void {
  ctx.textAlign = align
  ctx.textBaseline = 'middle'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 3
  ctx.strokeStyle = DARK
  ctx.strokeText(text, x, y)
  ctx.fillStyle = INK
  ctx.fillText(text, x, y)
}

function drawOutline(
  ctx: Ctx,
  placing: Placing,
  { name, points, isChosen, forward }: Marks['outlines'][0],
): void {
  const path = new Path2D()
  for (const [at, { column, row }] of points.entries()) {
    if (at === 0) path.moveTo(placing.x(column), placing.y(row))
    else path.lineTo(placing.x(column), placing.y(row))
  }
  path.closePath()
  const colour = isChosen ? CHOSEN : OTHER
  twice(ctx, path, colour)
  if (forward) {
    const [x, y] = [placing.x(forward.from.column), placing.y(forward.from.row)]
    const [tx, ty] = [placing.x(forward.to.column), placing.y(forward.to.row)]
    fill(ctx, arrowShape({ x, y, dx: tx - x, dy: ty - y, width: 2.5 }), colour)
  }
  const right = points.reduce(
    (best, point) => (point.column > best.column ? point : best),
    points[0] ?? { column: 0, row: 0 },
  )
  ctx.font = '600 13px sans-serif'
  write(ctx, name, placing.x(right.column) + 8, placing.y(right.row) - 8, 'left')
}

function twice(ctx: Ctx, path: Path2D, colour: string): void {
  ctx.lineJoin = 'round'
  ctx.strokeStyle = DARK
  ctx.lineWidth = 4
  ctx.stroke(path)
  ctx.strokeStyle = colour
  ctx.lineWidth = 2
  ctx.stroke(path)
}

function dot(ctx: Ctx, placing: Placing, { column, row }: Place): void {
  const path = new Path2D()
  path.arc(placing.x(column), placing.y(row), 4, 0, 2 * Math.PI)
  twice(ctx, path, CHOSEN)
}

/** Open in the middle, so that the voxel stays to be seen. */
function cross(ctx: Ctx, placing: Placing, { column, row }: Place): void {
  const [x, y] = [placing.x(column), placing.y(row)]
  const path = new Path2D()
  const gap = Math.max(4, placing.across / 2)
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    path.moveTo(x + dx * gap, y + dy * gap)
    path.lineTo(x + dx * (gap + 9), y + dy * (gap + 9))
  }
  twice(ctx, path, INK)
}

function arrowKey(
  ctx: Ctx,
  placing: Placing,
  { length, width, colour, words }: NonNullable<Marks['arrow']>,
): void {
  const { x, y, height } = placing.image
  const reach = length * placing.across
  const [left, low] = [x + 12, y + height - 14]
  fill(ctx, arrowShape({ x: left, y: low, dx: reach, dy: 0, width }), colour)
  ctx.font = '12px sans-serif'
  write(ctx, words, left + reach + 8, low, 'left')
}

function fill(ctx: Ctx, corners: readonly number[], colour: string): void {
  const path = new Path2D()
  for (let at = 0; at + 1 < corners.length; at += 2) {
    if (at === 0) path.moveTo(corners[0] ?? 0, corners[1] ?? 0)
    else path.lineTo(corners[at] ?? 0, corners[at + 1] ?? 0)
  }
  path.closePath()
  ctx.strokeStyle = DARK
  ctx.lineWidth = 2
  ctx.stroke(path)
  ctx.fillStyle = colour
  ctx.fill(path)
}
