/**
 * YOLO as Ultralytics reads it (https://docs.ultralytics.com/datasets): a text an image in shares of its width and height; boxes,
 * turned boxes, outlines or points.
 */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import { cornersOf } from '@neuroloom/contract/labelling/corners'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { stringify } from 'yaml'
import { type Bounds, boundsOf, joined, type Point, pairs } from '../geometry.ts'
import { cropOf, extentsOf, ringsOf } from '../segments.ts'
import { type LabelledImage, type LabelledSet, type Piece, text } from '../shapes.ts'

type Kind = 'boxes' | 'turned' | 'outlines' | 'points'

export const writeYolo = (kind: Kind) =>
  async function* ({ classes, images }: LabelledSet): AsyncIterable<Piece> {
    const named = classes.filter(({ use }) => use === 'class')
    const points = Math.max(1, ...named.map(({ skeleton }) => skeleton?.points.length ?? 1))
    yield text('data.yaml', stringify(headOf(kind, named, points)))
    yield text('classes.txt', named.map(({ name }) => `${name}\n`).join(''))
    const numbers = new Map(named.map(({ id }, index) => [id, index]))
    for await (const image of images) {
      if (image.size[2] > 1) continue
      const lines: string[] = []
      for (const { owner, shares } of rowsOf(image, kind, points)) {
        const number = numbers.get(owner)
        if (number !== undefined) lines.push(`${number} ${shares.map(short).join(' ')}\n`)
      }
      // Also where nothing is marked: that was looked at, too.
      yield text(`labels/${image.stem}.txt`, lines.join(''))
    }
  }

function headOf(kind: Kind, named: readonly LabelClass[], points: number): object {
  const joins = named.find(({ skeleton }) => skeleton)?.skeleton
  return {
    path: '.',
    train: 'images',
    val: 'images',
    ...(kind === 'points' ? { kpt_shape: [points, 3], ...(joins ? { kpt_names: joins.points } : {}) } : {}),
    names: Object.fromEntries(named.map(({ name }, index) => [index, name])),
  }
}

/** Twelve digits behind the point: of an image 32,768 pixels wide less than a millionth of a pixel. */
const short = (share: number): string => String(Number(share.toFixed(12)))

type Row = { owner: string; shares: number[] }

function* rowsOf(image: LabelledImage, kind: Kind, count: number): Iterable<Row> {
  const [width, height] = image.size
  const within = (point: Point): number[] => [clip(point[0] / width), clip(point[1] / height)]
  for (const thing of image.marks.things.values()) {
    const shares = sharesOf(thing, { kind, count, within, size: [width, height] })
    if (shares) yield { owner: thing.class, shares }
  }
  if (kind === 'points') return
  for (const extent of extentsOf(image.marks.pixels)) {
    const owner = image.marks.segments.get(extent.number)?.class
    if (owner === undefined) continue
    const shares =
      kind === 'outlines'
        ? pairs(joined(ringsOf(cropOf(image.marks.pixels, extent)))).flatMap(within)
        : boxShares(extent, { kind, within })
    if (shares) yield { owner, shares }
  }
}

type How = { kind: Kind; count: number; within: (point: Point) => number[]; size: readonly [number, number] }

function sharesOf({ shape }: Thing, { kind, count, within, size }: How): number[] | null {
  if (kind === 'points') return shape.kind === 'points' ? pointShares(shape, { count, size }) : null
  if (shape.kind === 'line' || shape.kind === 'points') return null
  if (kind === 'outlines')
    return shape.kind === 'box'
      ? cornersOf(shape).flatMap(within)
      : pairs(joined(shape.rings)).flatMap(within)
  if (kind === 'turned' && shape.kind === 'box')
    // Cut off corners would turn it into something else.
    return cornersOf(shape).flatMap(([x, y]) => [x / size[0], y / size[1]])
  return boxShares(boundsOf(shape), { kind, within })
}

/** Null for what lies outside. */
function boxShares(
  { x0, y0, x1, y1 }: Bounds,
  { kind, within }: Pick<How, 'kind' | 'within'>,
): number[] | null {
  const [left = 0, top = 0] = within([x0, y0])
  const [right = 0, bottom = 0] = within([x1, y1])
  if (right <= left || bottom <= top) return null
  if (kind === 'turned') return [left, top, right, top, right, bottom, left, bottom]
  return [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top]
}

function pointShares(
  shape: Extract<Thing['shape'], { kind: 'points' }>,
  { count, size: [width, height] }: Pick<How, 'count' | 'size'>,
): number[] {
  const { x0, y0, x1, y1 } = boundsOf(shape)
  const isSeen = x1 >= x0
  const box = isSeen
    ? [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height]
    : [0, 0, 0, 0]
  const points = pairs(shape.points)
  const shares = Array.from({ length: count }, (_, index) => {
    const [x = 0, y = 0] = points[index] ?? []
    return [x / width, y / height, shape.seen[index] ?? 0]
  })
  return [...box, ...shares.flat()]
}

const clip = (share: number): number => Math.min(1, Math.max(0, share))
