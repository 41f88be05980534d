/** Draws a whole scene as one picture: for the overview and the small map. Colours come from the page's styles. */
import { portAt } from './geometry.ts'
import type { Scene } from './scene.ts'
import { roadsOf } from './walk.ts'

export interface Painting {
  wires: Path2D
  frames: Path2D
  /** By name of a category. */
  cards: ReadonlyMap<string, Path2D>
  wrong: Path2D
  chosen: Path2D
}

const middle = { index: 0, count: 1 }

interface Told {
  categoryOf: (op: string) => string
  isWrong: (path: string) => boolean
  selection: ReadonlySet<string>
}

export function paintingOf(scene: Scene, { categoryOf, isWrong, selection }: Told): Painting {
  const { corners } = roadsOf(scene)
  const painting = { wires: new Path2D(), frames: new Path2D(), wrong: new Path2D(), chosen: new Path2D() }
  const cards = new Map<string, Path2D>()
  for (const { path, kind, node, width, height } of scene.items) {
    const [x, y] = corners.get(path) ?? [0, 0]
    if (kind === 'frame') painting.frames.rect(x, y, width, height)
    else pathFor(cards, node === null ? 'head' : categoryOf(node.op)).rect(x, y, width, height)
    if (isWrong(path)) painting.wrong.rect(x - 6, y - 6, width + 12, height + 12)
    if (selection.has(path)) painting.chosen.rect(x - 10, y - 10, width + 20, height + 20)
  }
  for (const { source, target, via } of scene.wires) {
    const [from, to] = [scene.byPath.get(source), scene.byPath.get(target)]
    const [a, b] = [corners.get(source), corners.get(target)]
    if (!from || !to || !a || !b) continue
    const [dx, dy] = corners.get(to.parent) ?? [0, 0]
    const [start, end] = [portAt('out', middle, from), portAt('in', middle, to)]
    painting.wires.moveTo(a[0] + start[0], a[1] + start[1])
    for (const [x, y] of via) painting.wires.lineTo(x + dx, y + dy)
    painting.wires.lineTo(b[0] + end[0], b[1] + end[1])
  }
  return { ...painting, cards }
}

/** `context` already has the scale and shift of the canvas. */
export function paint(
  context: CanvasRenderingContext2D,
  { wires, frames, cards, wrong, chosen }: Painting,
  { colour, pixel }: { colour: (name: string) => string; pixel: number },
): void {
  context.fillStyle = colour('--nl-primary-soft')
  context.fill(frames)
  context.strokeStyle = colour('--nl-line-strong')
  context.lineWidth = pixel
  context.stroke(frames)
  context.stroke(wires)
  for (const [category, path] of cards) {
    context.fillStyle = colour(`--nl-hue-${category}`)
    context.fill(path)
  }
  context.lineWidth = 2 * pixel
  context.strokeStyle = colour('--nl-danger')
  context.stroke(wrong)
  context.strokeStyle = colour('--nl-accent')
  context.stroke(chosen)
}

/** Reads custom properties of an element once each. */
export function coloursOf(element: Element): (name: string) => string {
  const style = getComputedStyle(element)
  const known = new Map<string, string>()
  return (name) => {
    const colour = known.get(name) ?? style.getPropertyValue(name).trim()
    known.set(name, colour)
    return colour
  }
}

function pathFor(paths: Map<string, Path2D>, name: string): Path2D {
  const path = paths.get(name) ?? new Path2D()
  paths.set(name, path)
  return path
}
