/**
 * Draws fields of cells as a fluorescence microscope shows them. The network of this demonstration was trained on pictures of
 * this very code, from other seeds. Same seed, same pixels.
 */
export type Cell = {
  x: number
  y: number
  /** Half axes in pixels. */
  long: number
  short: number
  angle: number
  light: number
  /** How far the outline leaves an ellipse, and where. */
  bumps: { height: number; turn: number }[]
  /** Chromatin: waves of light inside. */
  grain: { x: number; y: number; shift: number }[]
}

export type Field = {
  /** Everything that is no cell: background, haze out of focus, specks of dust. */
  ground: Float32Array
  noise: Float32Array
  cells: Cell[]
}

export type Random = () => number

/** Pixels a side. */
export const SIZE = 192
/** The network was trained on pictures from smaller seeds: from here on it has seen none. */
export const FIRST_NEW_SEED = 1_000_000
const PIXELS = SIZE * SIZE
/** Some pictures have crowds, where cells touch. */
const CROWDED_SHARE = 0.2
const TRIES = 40

/** A picture that nobody has seen before, with 8–16 cells. */
export function someField(seed: number): Field {
  const random = randomOf(seed)
  const ground = someGround(random)
  const noise = someNoise(random)
  const isCrowded = random() < CROWDED_SHARE
  const cells: Cell[] = []
  const count = 8 + Math.floor(random() * 9)
  for (let tries = 0; cells.length < count && tries < TRIES * count; tries++) {
    const cell = someCell(random, { x: SIZE * random(), y: SIZE * random() })
    if (isCrowded || hasRoom(cell, cells)) cells.push(cell)
  }
  return { ground, noise, cells }
}

export function someCell(random: Random, { x, y }: { x: number; y: number }): Cell {
  const short = 6.5 + 4.5 * random()
  return {
    x,
    y,
    short,
    long: short * (1 + 0.75 * random()),
    angle: Math.PI * random(),
    light: 0.2 + 0.55 * random(),
    bumps: [2, 3].map((lobes) => ({ height: (0.14 / lobes) * random(), turn: 2 * Math.PI * random() })),
    grain: Array.from({ length: 4 }, () => someWave(random)),
  }
}

/** A wave of 6 to 16 pixels in any direction. */
function someWave(random: Random) {
  const [turn, length] = [2 * Math.PI * random(), 6 + 10 * random()]
  const speed = (2 * Math.PI) / length
  return { x: speed * Math.cos(turn), y: speed * Math.sin(turn), shift: 2 * Math.PI * random() }
}

/** True when a cell would stand clear of the others. */
export function hasRoom(cell: Cell, cells: Cell[]): boolean {
  return cells.every((other) => Math.hypot(cell.x - other.x, cell.y - other.y) > cell.long + other.long + 3)
}

/** Levels of grey from 0 to 255, row by row. */
export function render({ ground, noise, cells }: Field): Uint8ClampedArray {
  const glow = new Float32Array(PIXELS)
  for (const cell of cells) {
    visit(cell, 1.9, (index, distance, x, y) => {
      // The edge of a stained cell is soft, with a dim halo of light from above and below the focus.
      const edge = Math.min(1, Math.max(0, (1.1 - distance) * 5))
      const chromatin = cell.grain.reduce(
        (sum, wave) => sum + 0.07 * Math.cos(wave.x * x + wave.y * y + wave.shift),
        1.05 - 0.15 * distance,
      )
      const halo = 0.13 * Math.max(0, 1.9 - Math.max(1, distance))
      const light = cell.light * Math.max(edge * chromatin, halo)
      glow[index] = Math.max(glow[index] ?? 0, light)
    })
  }
  const pixels = new Uint8ClampedArray(PIXELS)
  for (let index = 0; index < PIXELS; index++) {
    const value = (ground[index] ?? 0) + (glow[index] ?? 0) + (noise[index] ?? 0)
    pixels[index] = Math.round(255 * value)
  }
  return pixels
}

/** Where the cells truly are: 1, else 0. */
export function maskOf({ cells }: Field): Uint8Array {
  const mask = new Uint8Array(PIXELS)
  for (const cell of cells) {
    visit(cell, 1, (index) => {
      mask[index] = 1
    })
  }
  return mask
}

/** Mulberry32, a 32-bit generator in the public domain: small, and equal on every machine. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Look = (index: number, distance: number, x: number, y: number) => void

/** Calls for every pixel within `reach` times the cell's outline; distance is 1 on the outline, 0 in the middle. */
function visit(cell: Cell, reach: number, look: Look): void {
  const [cos, sin] = [Math.cos(cell.angle), Math.sin(cell.angle)]
  const radius = cell.long * reach * 1.15
  const [left, right] = within(cell.x, radius)
  const [top, bottom] = within(cell.y, radius)
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [dx, dy] = [x - cell.x, y - cell.y]
      const along = (dx * cos + dy * sin) / cell.long
      const across = (dy * cos - dx * sin) / cell.short
      const direction = Math.atan2(across, along)
      const outline = cell.bumps.reduce(
        (sum, { height, turn }, index) => sum + height * Math.cos((index + 2) * direction + turn),
        1,
      )
      const distance = Math.hypot(along, across) / outline
      if (distance <= reach) look(y * SIZE + x, distance, dx, dy)
    }
  }
}

const within = (middle: number, radius: number): [number, number] => [
  Math.max(0, Math.floor(middle - radius)),
  Math.min(SIZE - 1, Math.ceil(middle + radius)),
]

type Spot = { x: number; y: number; radius: number; light: number }

function someGround(random: Random): Float32Array {
  const level = 0.05 + 0.07 * random()
  const slope = { x: 0.06 * (random() - 0.5), y: 0.06 * (random() - 0.5) }
  const spot = (radius: number, light: number): Spot => ({
    x: SIZE * random(),
    y: SIZE * random(),
    radius,
    light,
  })
  const haze = Array.from({ length: 2 + Math.floor(random() * 3) }, () =>
    spot(18 + 22 * random(), 0.08 + 0.16 * random()),
  )
  const dust = Array.from({ length: 3 + Math.floor(random() * 6) }, () =>
    spot(0.8 + 0.7 * random(), 0.3 + 0.5 * random()),
  )
  const ground = new Float32Array(PIXELS)
  for (let index = 0; index < PIXELS; index++) {
    const [x, y] = [index % SIZE, Math.floor(index / SIZE)]
    ground[index] = level + slope.x * (x / SIZE - 0.5) + slope.y * (y / SIZE - 0.5)
  }
  for (const one of [...haze, ...dust]) shine(ground, one)
  return ground
}

/** Adds a blurred spot of light. */
function shine(ground: Float32Array, { x, y, radius, light }: Spot): void {
  const [left, right] = within(x, 3 * radius)
  const [top, bottom] = within(y, 3 * radius)
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const squared = ((column - x) ** 2 + (row - y) ** 2) / radius ** 2
      const index = row * SIZE + column
      ground[index] = (ground[index] ?? 0) + light * Math.exp(-squared)
    }
  }
}

/** The camera's: the sum of three even noises is close to a normal one. */
function someNoise(random: Random): Float32Array {
  const strength = 0.025 + 0.035 * random()
  return Float32Array.from({ length: PIXELS }, () => strength * 2 * (random() + random() + random() - 1.5))
}
