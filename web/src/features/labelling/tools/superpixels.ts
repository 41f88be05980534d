/** Superpixels: borders of small pieces of like pixels are seen, and presses and strokes take pieces for the class, with Alt away from it. */
import { ask } from '../assist/ask.ts'
import { borders, type Pieces, pieceOf, piecesOf } from '../assist/pieces.ts'
import type { Pane } from '../canvas/pane.ts'
import { segmentOn } from '../canvas/plane.ts'
import { type Rect, toImage, type View } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { looking, type Seen } from './looking.ts'
import { drawnBy, maskedAs } from './part.ts'
import type { Press } from './press.ts'
import { drawPart, propose } from './proposal.ts'
import type { Tool } from './tool.ts'

/** The pointer rests. */
const REST_MS = 60

type Cut = { pieces: Pieces; rect: Rect; of: Seen; size: number }
type Stroke = { pane: Pane; segment: number; taken: Set<number> }

export function superpixels(): Tool {
  const cutting = cutter()
  const lines = linesOf()
  let stroke: Stroke | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = (bench: Bench, at: Press, cut: Cut | null) => {
    const piece = cut && pieceAt(cut, at)
    const part = cut && piece !== null ? placedPiece(cut, at.pane, piece) : null
    const values = part && maskedAs(drawnBy(bench.class), part)
    propose(bench, { tool: 'superpixels', parts: part && values ? [{ ...part, values }] : [] })
  }
  const take = (bench: Bench, at: Press) => {
    const cut = cutting.now(bench, at)
    const piece = cut && pieceAt(cut, at)
    if (!stroke || !cut || piece === null || stroke.taken.has(piece)) return
    stroke.taken.add(piece)
    const part = placedPiece(cut, at.pane, piece)
    const { left, top, width, height } = part
    const values = maskedAs(stroke.segment, part)
    if (values) drawPart(bench, { ...part, values }, stroke.segment)
    bench.drawn(at.pane, { left, top, right: left + width, bottom: top + height })
  }
  const begin = (bench: Bench, at: Press) => {
    const chosen = bench.class
    if (!chosen || !bench.isWritable) return
    const isErasing = at.isAlt || at.isErasing || chosen.use === 'background'
    bench.journal.begin('superpixels')
    const under = segmentOn(bench.journal.marks.pixels, at.pane.plane, Math.floor(at.x), Math.floor(at.y))
    const segment = isErasing ? 0 : bench.segmentFor(chosen.id, under)
    stroke = { pane: at.pane, segment, taken: new Set() }
    take(bench, at)
  }
  const end = (bench: Bench) => {
    if (!stroke) return
    stroke = null
    bench.journal.end()
  }
  return {
    cursor: 'crosshair',
    hover(bench, at) {
      clearTimeout(timer)
      const cut = cutting.now(bench, at)
      if (cut) return show(bench, at, cut)
      timer = setTimeout(
        () => void cutting.later(bench, at).then((made) => made && show(bench, at, made)),
        REST_MS,
      )
    },
    async down(bench, at) {
      clearTimeout(timer)
      // What was not seen before the press is shown by it, and taken by the next one.
      if (!cutting.now(bench, at)) return show(bench, at, await cutting.later(bench, at))
      bench.desk.setState({ proposal: null })
      begin(bench, at)
    },
    drag(bench, points) {
      for (const at of points) if (at.pane === stroke?.pane) take(bench, at)
    },
    up: end,
    cancel(bench) {
      clearTimeout(timer)
      const isAny = stroke !== null || bench.desk.getState().proposal !== null
      bench.desk.setState({ proposal: null })
      if (stroke) {
        end(bench)
        void bench.journal.undo()
      }
      return isAny
    },
    draw(bench, context, pane) {
      const cut = cutting.shown(bench, pane)
      if (cut) context.drawImage(lines(cut, pane), 0, 0)
    },
  }
}

const pieceAt = ({ pieces, rect }: Cut, { x, y }: Press): number | null => {
  const [column, row] = [Math.floor(x) - rect.left, Math.floor(y) - rect.top]
  if (column < 0 || row < 0 || column >= pieces.width || row >= pieces.height) return null
  return pieces.values[row * pieces.width + column] ?? null
}

function placedPiece({ pieces, rect }: Cut, { plane: { axis, slice } }: Pane, piece: number) {
  const { left, top, ...mask } = pieceOf(pieces, piece)
  return { axis, slice, left: rect.left + left, top: rect.top + top, ...mask }
}

/** Pieces around the pointer, made once for a part of a plane and a size. */
function cutter() {
  const look = looking()
  let last: Cut | null = null
  let asked = 0
  const isOf = (bench: Bench, { plane }: Pane): boolean =>
    last !== null &&
    last.of.at === plane &&
    last.of.window === String(bench.source.window?.get()) &&
    last.size === bench.desk.getState().pieceSize
  return {
    shown: (bench: Bench, pane: Pane): Cut | null => (isOf(bench, pane) ? last : null),
    now: (bench: Bench, at: Press): Cut | null =>
      last && isOf(bench, at.pane) && pieceAt(last, at) !== null ? last : null,
    async later(bench: Bench, at: Press): Promise<Cut | null> {
      const mine = ++asked
      const size = bench.desk.getState().pieceSize
      try {
        const of = await look(bench, at)
        const pieces = piecesOf(await ask('superpixels', { plane: of.plane, step: size }))
        if (mine === asked) last = { pieces, rect: of.rect, of, size }
        return last
      } catch {
        return null
      }
    },
  }
}

/** Borders at the screen's own resolution, kept until the view is another one. */
function linesOf() {
  const canvas = document.createElement('canvas')
  let of: { cut: Cut; view: View; width: number; height: number } | null = null
  return (cut: Cut, { plane, view, area: { width, height } }: Pane): HTMLCanvasElement => {
    if (of?.cut === cut && of.view === view && of.width === width && of.height === height) return canvas
    of = { cut, view, width, height }
    Object.assign(canvas, { width, height })
    const { rect, pieces } = cut
    const within = (value: number, from: number, length: number) =>
      value < from || value >= from + length ? -1 : Math.floor(value) - from
    const columnAt = Int32Array.from({ length: width }, (_, x) =>
      within(toImage(view, plane, { x: x + 0.5, y: 0 }).x, rect.left, pieces.width),
    )
    const rowAt = Int32Array.from({ length: height }, (_, y) =>
      within(toImage(view, plane, { x: 0, y: y + 0.5 }).y, rect.top, pieces.height),
    )
    const image = new ImageData(width, height)
    borders(pieces, { columnAt, rowAt, colour: LINE }, new Uint32Array(image.data.buffer))
    canvas.getContext('2d')?.putImageData(image, 0, 0)
    return canvas
  }
}

/** White, half seen through. */
const LINE = 0x80ffffff
