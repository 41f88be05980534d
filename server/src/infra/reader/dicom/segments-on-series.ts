/**
 * The mask of a series from its segmentations: each frame is copied to the slice on which its own position says that it lies.
 * Nothing is resampled; a mask with a marked frame that lies on no slice of the series is refused as a whole.
 */
import type { ViewNote } from '@neuroloom/contract/viewing'
import { cross, dot, refuse, type Scan, scale, type Triple } from '../model.ts'
import { readUnpacked } from '../picture/packed.ts'
import type { Source } from '../read.ts'
import { openDicom } from './file.ts'
import { readStored } from './pixels.ts'
import { type Plane, planesOf } from './planes.ts'
import { isSegmentation, leastOf, segmentOf } from './segmentation.ts'

/** The value that stands for each segment, by its number; 0 = it marks the background. */
export type SegmentValues = Record<string, number>

type Asked = { source: Source; files: Source['files']; segments: readonly SegmentValues[] }
type Laid =
  | { samples: Uint8Array; notes: ViewNote[] }
  /** So many of the marked frames lie beside all slices. */
  | { away: number; frames: number }

export async function layOnSeries(image: Scan, { source, files, segments }: Asked): Promise<Laid> {
  const grid = gridOf(image)
  const [width, height, depth] = image.size
  const voxels = width * height * depth
  const mask: Mask = { samples: new Uint8Array(voxels), shared: new Uint8Array(voxels) }
  let [away, frames, hasShares]: [number, number, boolean] = [0, 0, false]
  for (const [index, { path }] of files.entries()) {
    const opened = await openSegmentation(path, source)
    hasShares ||= opened.file.text('00620001') === 'FRACTIONAL'
    for (const frame of framesOf(opened, segments[index] ?? {})) {
      if (!frame.values.some((value) => value > 0)) continue
      frames += 1
      const place = placeOn(grid, frame)
      if (place === null) away += 1
      else copy(mask, { ...frame, place, size: image.size })
    }
  }
  if (away > 0) return { away, frames }
  const count = mask.shared.reduce((sum, one) => sum + one, 0)
  return {
    samples: mask.samples,
    notes: [
      ...(count > 0 ? [{ name: 'segments_overlap' as const, params: { count } }] : []),
      ...(hasShares ? [{ name: 'segments_shares' as const, params: {} }] : []),
    ],
  }
}

type Opened = Awaited<ReturnType<typeof openSegmentation>>

async function openSegmentation(path: string, { limitBytes, folder }: Source) {
  try {
    const file = openDicom(readUnpacked(path, limitBytes), { limitBytes })
    if (!isSegmentation(file)) throw refuse('header_contradicts')
    return { file, ...(await readStored(file, { limitBytes, folder })) }
  } catch (error) {
    // The DICOM library throws texts; numbers that lead out of a file's bytes are range errors.
    if (typeof error === 'string' || error instanceof RangeError) throw refuse('data_damaged')
    throw error
  }
}

type Frame = { plane: Plane; values: Uint8Array; columns: number; rows: number }

/** With the value of each pixel: 0 where the frame marks nothing. */
function* framesOf({ file, shape, frames, samples }: Opened, values: SegmentValues): Iterable<Frame> {
  const { columns, rows } = shape
  const area = columns * rows
  const planes = planesOf(file, 0, frames)
  const least = leastOf(file)
  const [perFrame, shared] = [file.items('52009230'), file.items('52009229')[0]]
  const areNumbers = file.text('00620001') === 'LABELMAP'
  for (const [frame, plane] of planes.entries()) {
    const stored = samples.subarray(frame * area, (frame + 1) * area)
    const value = areNumbers ? 0 : valueFor(values, segmentOf(perFrame[frame], shared))
    const own = new Uint8Array(area)
    for (let at = 0; at < area; at += 1) {
      const number = stored[at] ?? 0
      own[at] = areNumbers ? (number === 0 ? 0 : valueFor(values, number)) : number >= least ? value : 0
    }
    yield { plane, values: own, columns, rows }
  }
}

/** A number that the header does not describe stands for nobody knows what. */
function valueFor(values: SegmentValues, number: number): number {
  const value = values[String(number)]
  if (value === undefined) throw refuse('header_contradicts')
  return value
}

type Grid = { origin: Triple; inverse: [Triple, Triple, Triple]; size: Scan['size'] }

/** The way from the patient to voxels: of sheared stacks, too. */
function gridOf({ geometry, size }: Scan): Grid {
  if (!geometry?.axes || !geometry.origin) throw refuse('header_contradicts')
  const { axes, spacing, origin } = geometry
  const [a, b, c] = [scale(axes[0], spacing[0]), scale(axes[1], spacing[1]), scale(axes[2], spacing[2])]
  const volume = dot(a, cross(b, c))
  if (!(Math.abs(volume) > 0)) throw refuse('header_contradicts')
  const inverse: Grid['inverse'] = [
    scale(cross(b, c), 1 / volume),
    scale(cross(c, a), 1 / volume),
    scale(cross(a, b), 1 / volume),
  ]
  return { origin, inverse, size }
}

/** The voxel of a frame's first pixel, and the steps along a row and along a column. */
type Place = { first: Triple; across: Triple; down: Triple }

/** Of a voxel: headers round. */
const SLACK = 0.1

/** Null where any corner of the frame lies beside the voxels of the image. */
function placeOn({ origin, inverse, size }: Grid, { plane, columns, rows }: Frame): Place | null {
  const { position, directions, spacing } = plane
  if (!position || !directions || !spacing) return null
  const turn = (way: Triple): Triple => [dot(inverse[0], way), dot(inverse[1], way), dot(inverse[2], way)]
  const first = turn([position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]])
  const across = turn(scale(directions[0], spacing[0]))
  const down = turn(scale(directions[1], spacing[1]))
  const place = { first: whole(first), across: whole(across), down: whole(down) }
  for (const column of [0, columns - 1])
    for (const row of [0, rows - 1])
      for (const axis of [0, 1, 2] as const) {
        const at = first[axis] + column * across[axis] + row * down[axis]
        const onGrid = place.first[axis] + column * place.across[axis] + row * place.down[axis]
        const isInside = onGrid >= 0 && onGrid < size[axis]
        if (!isInside || !(Math.abs(at - onGrid) <= SLACK)) return null
      }
  return place
}

const whole = ([x, y, z]: Triple): Triple => [Math.round(x), Math.round(y), Math.round(z)]

type Mask = {
  samples: Uint8Array
  /** 1 where different segments mark the same voxel. */
  shared: Uint8Array
}

/** What lies later in the file lies above. */
function copy({ samples, shared }: Mask, { values, columns, rows, place, size }: Copied): void {
  const steps: Triple = [1, size[0], size[0] * size[1]]
  const [first, across, down] = [dot(place.first, steps), dot(place.across, steps), dot(place.down, steps)]
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const value = values[row * columns + column] ?? 0
      if (value === 0) continue
      const at = first + column * across + row * down
      const before = samples[at] ?? 0
      if (before !== 0 && before !== value) shared[at] = 1
      samples[at] = value
    }
}

type Copied = Frame & { place: Place; size: Scan['size'] }
