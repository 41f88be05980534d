/** Draws the demo member's sample pictures: cells under a fluorescence microscope, with masks. Same seed, same pixels. */
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import type { GreyPicture } from './png.ts'

type Cell = { x: number; y: number; long: number; short: number; angle: number; light: number }
type Random = () => number

/** Shapes that the classification sample tells apart. */
export const cellKinds = ['round', 'elongated', 'clustered'] as const
export type CellKind = (typeof cellKinds)[number]

/** A field of 4–12 cells and its mask (0 = background, 255 = cell). */
export function drawField(seed: number, size = 128): { image: GreyPicture; mask: GreyPicture } {
  const random = mulberry32(seed)
  const cells = Array.from({ length: 4 + Math.floor(random() * 9) }, () => someCell(random, size))
  return { image: render(cells, size, random), mask: renderMask(cells, size) }
}

/** One small picture of a kind of cell. */
export function drawCell(kind: CellKind, seed: number, size = 64): GreyPicture {
  const random = mulberry32(seed)
  return render(cellsOf(kind, random, size), size, random)
}

function cellsOf(kind: CellKind, random: Random, size: number): Cell[] {
  const middle = () => size * (0.38 + 0.24 * random())
  const base = { x: middle(), y: middle(), angle: Math.PI * random(), light: 0.55 + 0.4 * random() }
  switch (kind) {
    case 'round': {
      const radius = size * (0.14 + 0.08 * random())
      return [{ ...base, long: radius, short: radius * (0.88 + 0.12 * random()) }]
    }
    case 'elongated':
      return [{ ...base, long: size * (0.24 + 0.1 * random()), short: size * (0.06 + 0.04 * random()) }]
    case 'clustered':
      return Array.from({ length: 4 + Math.floor(random() * 3) }, () => {
        const radius = size * (0.06 + 0.03 * random())
        const [x, y] = [base.x + size * 0.3 * (random() - 0.5), base.y + size * 0.3 * (random() - 0.5)]
        return { ...base, x, y, long: radius, short: radius * 0.9 }
      })
  }
}

const someCell = (random: Random, size: number): Cell => ({
  x: size * (0.05 + 0.9 * random()),
  y: size * (0.05 + 0.9 * random()),
  long: size * (0.06 + 0.06 * random()),
  short: size * (0.04 + 0.03 * random()),
  angle: Math.PI * random(),
  light: 0.35 + 0.6 * random(),
})

function render(cells: Cell[], size: number, random: Random): GreyPicture {
  const background = 0.06 + 0.08 * random()
  const noise = 0.03 + 0.04 * random()
  const pixels = new Uint8Array(size * size)
  for (let index = 0; index < pixels.length; index++) {
    const [x, y] = [index % size, Math.floor(index / size)]
    // The edge of a stained cell is soft: light falls off over about a tenth of its radius.
    const glow = Math.max(
      0,
      ...cells.map((cell) => cell.light * Math.min(1, Math.max(0, (1.1 - distance(cell, x, y)) * 5))),
    )
    const value = background + glow * (1 - background) + noise * (random() + random() - 1)
    pixels[index] = Math.round(255 * Math.min(1, Math.max(0, value)))
  }
  return { width: size, height: size, pixels }
}

function renderMask(cells: Cell[], size: number): GreyPicture {
  const pixels = Uint8Array.from({ length: size * size }, (_, index) =>
    cells.some((cell) => distance(cell, index % size, Math.floor(index / size)) <= 1) ? 255 : 0,
  )
  return { width: size, height: size, pixels }
}

/** 1 on the outline of the ellipse, less inside. */
function distance({ x, y, long, short, angle }: Cell, px: number, py: number): number {
  const [dx, dy] = [px - x, py - y]
  const along = dx * Math.cos(angle) + dy * Math.sin(angle)
  const across = dy * Math.cos(angle) - dx * Math.sin(angle)
  return Math.hypot(along / long, across / short)
}
