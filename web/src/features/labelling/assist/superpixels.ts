/**
 * Parts a picture into small regions of like pixels: R. Achanta, A. Shaji, K. Smith, A. Lucchi, P. Fua and S. Süsstrunk, "SLIC Superpixels
 * Compared to State-of-the-Art Superpixel Methods", IEEE Transactions on Pattern Analysis and Machine Intelligence 34 (2012).
 */
import { type Bands, greyBands, labBands } from './bands.ts'
import type { Colour, Grey } from './plane.ts'

export type Superpixels = {
  width: number
  height: number
  /** From 0 to `count` − 1 for each pixel; all pixels of a number hang together by sides. */
  numbers: Uint32Array
  count: number
}

export type Slic = {
  /** Pixels from the middle of one region to the next at the start. */
  step: number
  /** The paper's m: small follows the picture, large gives squares; 10 suits most pictures. */
  compactness?: number
}

/** The paper takes 10; after 5 hardly a pixel changes. */
const ROUNDS = 5
/** Stray parts smaller than this share of a region join their neighbour. */
const STRAY = 1 / 4

/** For a window of up to 1024² (210 ms): brightness counts in a hundred steps from its darkest to its brightest pixel. */
export function superpixelsOfGrey(plane: Grey, slic: Slic): Superpixels {
  return superpixels(greyBands(plane), slic)
}

/** The same for colours, compared in CIELAB (360 ms). */
export function superpixelsOfColour(plane: Colour, slic: Slic): Superpixels {
  return superpixels(labBands(plane), slic)
}

function superpixels(bands: Bands, { step, compactness = 10 }: Slic): Superpixels {
  const { width, height } = bands
  const numbers = new Uint32Array(width * height)
  const nearest = new Float32Array(width * height)
  const clusters = grid(bands, step)
  const weight = (compactness / step) ** 2
  for (let round = 0; round < ROUNDS; round++) {
    nearest.fill(Number.POSITIVE_INFINITY)
    for (let cluster = 0; cluster < clusters.length; cluster++) {
      assign(bands, clusters[cluster], { cluster, step, weight, nearest, numbers })
    }
    recentre(bands, clusters, numbers)
  }
  return connected({ width, height, numbers }, STRAY * step ** 2)
}

/** Mean place and colour. */
type Cluster = { x: number; y: number; lightness: number; red: number; yellow: number }

/** Evenly over the picture; the paper moves them off edges, which the first round does as well. */
function grid({ width, height, ...bands }: Bands, step: number): Cluster[] {
  const middles = (length: number) => {
    const count = Math.max(1, Math.round(length / step))
    return Array.from({ length: count }, (_, place) => Math.floor(((place + 0.5) * length) / count))
  }
  const columns = middles(width)
  return middles(height).flatMap((y) =>
    columns.map((x) => {
      const at = y * width + x
      const [lightness = 0, red = 0, yellow = 0] = [bands.lightness[at], bands.red[at], bands.yellow[at]]
      return { x, y, lightness, red, yellow }
    }),
  )
}

type Assigning = {
  cluster: number
  step: number
  weight: number
  nearest: Float32Array
  numbers: Uint32Array
}

/** Gives a cluster the pixels around it to which it is nearer than those before. */
function assign(bands: Bands, middle: Cluster | undefined, to: Assigning) {
  if (!middle) return
  const { width, height, lightness, red, yellow } = bands
  const { cluster, step, weight, nearest, numbers } = to
  const left = Math.max(0, Math.floor(middle.x - step))
  const right = Math.min(width - 1, Math.ceil(middle.x + step))
  const bottom = Math.min(height - 1, Math.ceil(middle.y + step))
  for (let y = Math.max(0, Math.floor(middle.y - step)); y <= bottom; y++) {
    const down = (y - middle.y) ** 2
    for (let x = left, at = y * width + left; x <= right; x++, at++) {
      const l = (lightness[at] ?? 0) - middle.lightness
      const a = (red[at] ?? 0) - middle.red
      const b = (yellow[at] ?? 0) - middle.yellow
      const across = x - middle.x
      const distance = l * l + a * a + b * b + weight * (across * across + down)
      if (distance >= (nearest[at] ?? 0)) continue
      nearest[at] = distance
      numbers[at] = cluster
    }
  }
}

function recentre(
  { width, height, lightness, red, yellow }: Bands,
  clusters: Cluster[],
  numbers: Uint32Array,
) {
  const sums = new Float64Array(6 * clusters.length)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const from = 6 * (numbers[at] ?? 0)
      sums[from] = (sums[from] ?? 0) + 1
      sums[from + 1] = (sums[from + 1] ?? 0) + x
      sums[from + 2] = (sums[from + 2] ?? 0) + y
      sums[from + 3] = (sums[from + 3] ?? 0) + (lightness[at] ?? 0)
      sums[from + 4] = (sums[from + 4] ?? 0) + (red[at] ?? 0)
      sums[from + 5] = (sums[from + 5] ?? 0) + (yellow[at] ?? 0)
    }
  }
  clusters.forEach((cluster, number) => {
    const count = sums[6 * number] ?? 0
    if (count === 0) return
    const [x = 0, y = 0, l = 0, a = 0, b = 0] = sums.subarray(6 * number + 1, 6 * number + 6)
    Object.assign(cluster, {
      x: x / count,
      y: y / count,
      lightness: l / count,
      red: a / count,
      yellow: b / count,
    })
  })
}

/** Each part that hangs together by sides becomes a region of its own, or joins the one before when it has fewer pixels than `least`. */
function connected({ width, height, numbers }: Omit<Superpixels, 'count'>, least: number): Superpixels {
  const unknown = 2 ** 32 - 1
  const regions = new Uint32Array(numbers.length).fill(unknown)
  const part = new Uint32Array(numbers.length)
  const sides = [-1, 1, -width, width]
  let count = 0
  for (let start = 0; start < numbers.length; start++) {
    if (regions[start] !== unknown) continue
    regions[start] = count
    part[0] = start
    let pixels = 1
    for (let place = 0; place < pixels; place++) {
      const at = part[place] ?? 0
      const x = at % width
      for (let way = 0; way < 4; way++) {
        const other = at + (sides[way] ?? 0)
        if ((way === 0 && x === 0) || (way === 1 && x === width - 1)) continue
        // Above and below the picture there is nothing, which is no known region either.
        if (regions[other] !== unknown || numbers[other] !== numbers[start]) continue
        regions[other] = count
        part[pixels++] = other
      }
    }
    // Of its first pixel, the neighbours to the left and above have theirs already.
    const beside = start % width > 0 ? regions[start - 1] : regions[start - width]
    if (pixels < least && beside !== undefined)
      for (const at of part.subarray(0, pixels)) regions[at] = beside
    else count++
  }
  return { width, height, numbers: regions, count }
}
