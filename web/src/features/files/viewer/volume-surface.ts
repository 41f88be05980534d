/** Where the slices of a volume lie on the drawing library's canvas, and which values they hold. Reads, changes nothing. */
import type { FlatPlane } from '@neuroloom/contract/image-view'
import type { ImageFacts } from '@neuroloom/contract/viewing'
import { type Niivue, type NVImage, SLICE_TYPE } from '@niivue/niivue'
import type { Point, Steps } from './measure/geometry.ts'
import type { Place } from './measure/marks.ts'
import { brightnessOf, type Grid } from './measure/measured.ts'
import type { Order, Pane } from './measure/surface.ts'

/** Which axes of the body run along a row, along a column, and through the slices. */
const axes = { axial: [0, 1, 2], coronal: [0, 2, 1], sagittal: [1, 2, 0] } as const
const planeOf: Partial<Record<SLICE_TYPE, FlatPlane>> = {
  [SLICE_TYPE.AXIAL]: 'axial',
  [SLICE_TYPE.CORONAL]: 'coronal',
  [SLICE_TYPE.SAGITTAL]: 'sagittal',
}

/** Points in time are the caller's. */
export function panesOf(drawn: Niivue): Pane[] {
  const sides = sidesOf(drawn.volumes[0])
  const scale = 1 / (drawn.uiData.dpr ?? 1)
  const start = drawn.frac2mm([0, 0, 0])
  const end = drawn.frac2mm([1, 1, 1])
  return drawn.screenSlices.flatMap((tile): Pane[] => {
    const plane = planeOf[tile.axCorSag]
    if (plane === undefined) return []
    const [across, up, through] = axes[plane]
    const [left = 0, top = 0, width = 0, height = 0] = tile.leftTopWidthHeight
    // Narrower than nothing: mirrored, as radiologists look at a patient from the feet.
    const isMirrored = width < 0
    const clip = { left: isMirrored ? left + width : left, top, width: Math.abs(width), height }
    const xOf = (millimetres: number): number => {
      const share = (millimetres - (tile.leftTopMM[0] ?? 0)) / (tile.fovMM[0] || 1)
      return (clip.left + (isMirrored ? 1 - share : share) * clip.width) * scale
    }
    const yOf = (millimetres: number): number => {
      const share = (millimetres - (tile.leftTopMM[1] ?? 0)) / (tile.fovMM[1] || 1)
      return (top + (1 - share) * height) * scale
    }
    const size: Point = [sides[across] ?? 1, sides[up] ?? 1]
    const origin: Point = [xOf(start[across] ?? 0), yOf(start[up] ?? 0)]
    const far: Point = [xOf(end[across] ?? 1), yOf(end[up] ?? 1)]
    const count = sides[through] ?? 1
    const cross = drawn.scene.crosshairPos[through] ?? 0
    return [
      {
        place: { plane, slice: Math.min(Math.max(Math.floor(cross * count), 0), count - 1), frame: 0 },
        size,
        origin,
        step: [(far[0] - origin[0]) / size[0], (far[1] - origin[1]) / size[1]],
        clip: {
          left: clip.left * scale,
          top: clip.top * scale,
          width: clip.width * scale,
          height: clip.height * scale,
        },
      },
    ]
  })
}

const sidesOf = (image: NVImage | undefined): readonly number[] => image?.dimsRAS?.slice(1, 4) ?? [1, 1, 1]

export function orderOf(image: NVImage, { plane, slice }: Place): Order {
  const [across, up, through] = axes[plane]
  const sides = sidesOf(image)
  const steps = image.img2RASstep ?? [1, 1, 1]
  const starts = image.img2RASstart ?? [0, 0, 0]
  return {
    start: starts.reduce((sum, start) => sum + start, 0) + slice * (steps[through] ?? 0),
    column: steps[across] ?? 0,
    row: steps[up] ?? 0,
    size: [sides[across] ?? 1, sides[up] ?? 1],
  }
}

export function gridOf(image: NVImage, facts: ImageFacts, place: Place): Grid {
  const order = orderOf(image, place)
  const { start, column, row, size } = order
  const { img, hdr } = image
  const places = sidesOf(image).reduce((product, side) => product * side, 1)
  const colours = hdr ? (coloursOf[hdr.datatypeCode] ?? 1) : 1
  const slope = hdr?.scl_slope || 1
  const intercept = hdr?.scl_inter || 0
  const read = (index: number): number => Number(img?.[index] ?? Number.NaN)
  return {
    size,
    stepsAt: (points) => stepsAt(points, { image, facts, place }),
    valueAt: (x, y) => {
      if (x < 0 || y < 0 || x >= size[0] || y >= size[1]) return null
      const index = (start + x * column + y * row + place.frame * places) * colours
      const value =
        colours === 1
          ? read(index) * slope + intercept
          : brightnessOf(read(index), read(index + 1), read(index + 2))
      return Number.isFinite(value) ? value : null
    },
  }
}

/** NIfTI's numbers of kinds: bytes of red, green and blue, and those with a fourth. */
const coloursOf: Record<number, number> = { 128: 3, 2304: 4 }

type Where = { image: NVImage; facts: ImageFacts; place: Place }

function stepsAt(points: readonly Point[], { image, facts, place }: Where): Steps | null {
  const [across, up] = axes[place.plane]
  if (facts.regions.length > 0) return inRegion(points, { image, facts, place })
  if (facts.spacing === null) return null
  const lengths = image.pixDimsRAS?.slice(1, 4) ?? []
  return [lengths[across] ?? 1, lengths[up] ?? 1]
}

/** Ultrasound: each region of the picture has a scale of its own, and none where it shows no depth. */
function inRegion(points: readonly Point[], { image, facts }: Where): Steps | null {
  const [width = 1, height = 1] = sidesOf(image)
  // As the file counts: the library turns what lies the other way.
  const [alongX = 1, alongY = 1] = image.img2RASstep ?? []
  const stored = points.map(([x, y]): Point => [alongX < 0 ? width - x : x, alongY < 0 ? height - y : y])
  const region = facts.regions.find(({ box: [left, top, right, bottom] }) =>
    stored.every(([x, y]) => x >= left && y >= top && x <= right + 1 && y <= bottom + 1),
  )
  return region?.spacing ?? null
}

/** The middle of a voxel, as shares of the whole. */
export function fractionsOf(voxel: readonly number[], sides: readonly number[]): [number, number, number] {
  const part = (at: number): number => {
    const side = sides[at] ?? 1
    return (Math.min(Math.max(voxel[at] ?? 0, 0), side - 1) + 0.5) / side
  }
  return [part(0), part(1), part(2)]
}
