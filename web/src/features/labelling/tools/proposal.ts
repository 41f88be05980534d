/** What an assist would draw: seen before it counts, then one stroke. */

import { packed } from '../canvas/paint-pixels.ts'
import type { Pane } from '../canvas/pane.ts'
import { type Plane, planeOf, readSpan } from '../canvas/plane.ts'
import { drawDashed } from '../canvas/things-layer.ts'
import { toScreen } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { FRESH, KEEP, type Part, type Proposal } from './part.ts'

/** Shows it; false where it is nothing. */
export function propose(bench: Bench, proposal: Proposal): boolean {
  const isAny = proposal.parts.length > 0 || (proposal.things?.length ?? 0) > 0
  bench.desk.setState({ proposal: isAny ? proposal : null })
  bench.renewAbove()
  return isAny
}

/** Draws it into the marks. */
export function acceptProposal(bench: Bench, { tool, parts, things = [] }: Proposal): void {
  if (!bench.isWritable) return
  const { journal } = bench
  journal.begin(tool)
  const isFresh = parts.some(({ values }) => values.includes(FRESH))
  const fresh = isFresh ? bench.segmentFor(bench.class?.id ?? '', 0) : 0
  for (const part of parts) drawPart(bench, part, fresh)
  for (const after of things) journal.make({ do: 'thing', before: null, after })
  journal.end()
  bench.renew('pixels', 'above')
}

/** Within a stroke; `fresh`: the number that the chosen class draws with. */
export function drawPart(bench: Bench, part: Part, fresh: number): void {
  const plane = planeOf(bench.body, part.axis, part.slice)
  eachRun(part, (row, from, to, segment) =>
    bench.fillOn(plane, {
      v: part.top + row,
      from: part.left + from,
      to: part.left + to,
      segment: segment === FRESH ? fresh : segment,
    }),
  )
}

function eachRun(
  { width, height, values }: Part,
  each: (row: number, from: number, to: number, segment: number) => void,
) {
  for (let row = 0; row < height; row++)
    for (let from = 0; from < width; ) {
      const segment = values[row * width + from] ?? KEEP
      let to = from + 1
      while (to < width && values[row * width + to] === segment) to++
      if (segment !== KEEP) each(row, from, to, segment)
      from = to
    }
}

/** Translucent in the class's colour; what would be taken away is light. */
export function drawProposal(
  bench: Bench,
  context: CanvasRenderingContext2D,
  { pane, proposal }: { pane: Pane; proposal: Proposal },
): void {
  for (const thing of proposal.things ?? []) {
    const style = bench.isOn(thing, pane) ? bench.styleOf(thing) : null
    if (style) drawDashed(context, thing.shape, { ...pane, ...style })
  }
  for (const part of proposal.parts) {
    if (part.axis !== pane.plane.axis || part.slice !== pane.plane.slice) continue
    proposal.picture ??= new Map()
    const known = proposal.picture.get(part)
    const picture = known === undefined ? pictureOf(bench, part) : known
    proposal.picture.set(part, picture)
    if (!picture) continue
    const from = toScreen(pane.view, pane.plane, { x: part.left, y: part.top })
    const to = toScreen(pane.view, pane.plane, { x: part.left + part.width, y: part.top + part.height })
    context.save()
    context.imageSmoothingEnabled = false
    context.translate(from.x, from.y)
    context.scale(Math.sign(to.x - from.x) || 1, Math.sign(to.y - from.y) || 1)
    context.drawImage(picture, 0, 0, Math.abs(to.x - from.x), Math.abs(to.y - from.y))
    context.restore()
  }
}

const OPACITY = { inside: 0.35, edge: 0.95 }

/** Its edge is dashed: every other two pixels of it. */
function pictureOf(bench: Bench, part: Part): HTMLCanvasElement | null {
  const { width, height, values } = part
  if (width === 0 || height === 0) return null
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const image = new ImageData(width, height)
  const out = new Uint32Array(image.data.buffer)
  const colours = new Map<number, string>()
  const colourOf = (segment: number): string => {
    const found = colours.get(segment) ?? (segment === 0 ? 'none' : bench.colourOf(segment))
    colours.set(segment, found)
    return found
  }
  for (let at = 0; at < values.length; at++) {
    const segment = values[at] ?? KEEP
    if (segment === KEEP) continue
    const column = at % width
    const isEdge =
      values[at - width] !== segment ||
      values[at + width] !== segment ||
      (column > 0 && values[at - 1] !== segment) ||
      (column < width - 1 && values[at + 1] !== segment)
    const isDash = isEdge && ((column + Math.floor(at / width)) & 2) === 0
    const colour = colourOf(segment)
    out[at] = colour === 'none' ? LIGHT : packed(colour, isDash ? OPACITY.edge : OPACITY.inside)
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0)
  return canvas
}

/** Half white. */
const LIGHT = 0x80ffffff

/** Segments of a part of a plane, as they are. */
export function segmentsIn(
  bench: Bench,
  plane: Plane,
  { left, top, width, height }: Omit<Part, 'axis' | 'slice' | 'values'>,
): Uint16Array {
  const values = new Uint16Array(width * height)
  for (let row = 0; row < height; row++)
    readSpan(
      bench.journal.marks.pixels,
      plane,
      left,
      top + row,
      values.subarray(row * width, (row + 1) * width),
    )
  return values
}
