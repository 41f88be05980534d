/** The greys in which letters stand out: brightness both ways, how colourful a place is, and what rises above its surroundings. */

export type Plane = { values: Uint8Array; width: number; height: number }

/** A picture of 8 bits; colours of one place lie together. */
export type Picture = { pixels: Uint8Array; width: number; height: number; channels: 1 | 3 }

/**
 * Yellow on white differs in colour alone; across the edge of a bright area letters only rise above what is around. JPEG
 * smears colours and keeps brightness: strokes of coloured letters on grey tissue stand out where both are asked (`tinted`).
 */
export const planeNames = ['bright', 'dark', 'colourful', 'tinted', 'raised', 'sunken'] as const
export type PlaneName = (typeof planeNames)[number]

export function planesOf(picture: Picture): [PlaneName, Plane][] {
  const { width, height } = picture
  const plane = (values: Uint8Array): Plane => ({ values, width, height })
  const { bright, colourful, tinted, strong } = greysOf(picture)
  const dark = inverted(bright)
  const planes: [PlaneName, Plane][] = [
    ['bright', plane(bright)],
    ['dark', plane(dark)],
    ['raised', raised(plane(strong))],
    ['sunken', raised(plane(dark))],
  ]
  if (colourful && tinted) planes.push(['colourful', plane(colourful)], ['tinted', plane(tinted)])
  return planes
}

type Greys = {
  bright: Uint8Array
  strong: Uint8Array
  colourful: Uint8Array | null
  tinted: Uint8Array | null
}

function greysOf({ pixels, width, height, channels }: Picture): Greys {
  if (channels === 1) return { bright: pixels, strong: pixels, colourful: null, tinted: null }
  const count = width * height
  const bright = new Uint8Array(count)
  const strong = new Uint8Array(count)
  const colourful = new Uint8Array(count)
  const tinted = new Uint8Array(count)
  let coloured = 0
  for (let index = 0, at = 0; index < count; index += 1, at += 3) {
    const red = pixels[at] ?? 0
    const green = pixels[at + 1] ?? 0
    const blue = pixels[at + 2] ?? 0
    const spread = Math.max(red, green, blue) - Math.min(red, green, blue)
    // Weights of ITU-R BT.601, in 256ths.
    const grey = (red * 77 + green * 150 + blue * 29) >> 8
    bright[index] = grey
    strong[index] = green
    colourful[index] = spread
    if (spread < TINTED) continue
    tinted[index] = grey
    coloured += 1
  }
  const hasColours = coloured >= LEAST_COLOURED
  return { bright, strong, colourful: hasColours ? colourful : null, tinted: hasColours ? tinted : null }
}

/** Of 255: what packing a grey picture as JPEG leaves stays below, and what it leaves of small coloured letters above. */
const TINTED = 18
/** Fewer places than two small letters have. */
const LEAST_COLOURED = 30

function inverted(values: Uint8Array): Uint8Array {
  const out = new Uint8Array(values.length)
  for (let index = 0; index < values.length; index += 1) out[index] = 255 - (values[index] ?? 0)
  return out
}

/** Rows become columns: what reads upwards or downwards then lies in a row. */
export function turned({ values, width, height }: Plane): Plane {
  const out = new Uint8Array(values.length)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) out[x * height + y] = values[y * width + x] ?? 0
  }
  return { values: out, width: height, height: width }
}

/** White top-hat (Serra 1982): what is brighter than all that a square of this side can stand on. */
function raised({ values, width, height }: Plane): Plane {
  const size = { width, height }
  // The greatest is the least of the inverted.
  const low = inverted(least(inverted(least(values, size)), size))
  const out = new Uint8Array(values.length)
  for (let index = 0; index < values.length; index += 1) out[index] = (values[index] ?? 0) - (low[index] ?? 0)
  return { values: out, width, height }
}

/** Wider than strokes are. */
const REACH = 6

type Size = { width: number; height: number }

/** The least value within a square around each place; beyond the edge stands what lies at the edge. */
function least(values: Uint8Array, { width, height }: Size): Uint8Array {
  const wide = width + 2 * REACH
  const padded = new Uint8Array(wide * height)
  for (let y = 0; y < height; y += 1) {
    const row = y * wide
    padded.fill(values[y * width] ?? 0, row, row + REACH)
    padded.set(values.subarray(y * width, (y + 1) * width), row + REACH)
    padded.fill(values[(y + 1) * width - 1] ?? 0, row + REACH + width, row + wide)
  }
  slide(padded, 1)
  const across = new Uint8Array(width * (height + 2 * REACH))
  for (let y = -REACH; y < height + REACH; y += 1) {
    const row = Math.max(0, Math.min(height - 1, y)) * wide
    across.set(padded.subarray(row, row + width), (y + REACH) * width)
  }
  slide(across, width)
  return across.subarray(0, width * height)
}

/** Each place becomes the least from itself to 2 · REACH steps on; windows grow by doubling: 1, 2, 4, 8, then two eights that overlap. */
function slide(values: Uint8Array, step: number): void {
  let long = 1
  for (; long * 2 <= 2 * REACH + 1; long *= 2) lower(values, long * step)
  lower(values, (2 * REACH + 1 - long) * step)
}

/** In its own place: what lies `far` on is not lowered yet. */
function lower(values: Uint8Array, far: number): void {
  const end = values.length - far
  for (let index = 0; index < end; index += 1)
    values[index] = Math.min(values[index] ?? 0, values[index + far] ?? 0)
}
