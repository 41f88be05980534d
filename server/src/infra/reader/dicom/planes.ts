/** Where each frame of DICOM files lies in the patient, and in which order frames make up a volume, or volumes in time. */
import type { ViewNote } from '@neuroloom/contract/viewing'
import { cross, dot, type Geometry, length, scale, type Triple, triple } from '../model.ts'
import type { DicomFile, Group } from './file.ts'
import { pixelAspectOf } from './scale.ts'

export type Plane = {
  file: number
  frame: number
  position: Triple | null
  /** Along a row, along a column. */
  directions: [Triple, Triple] | null
  /** Between columns, between rows. */
  spacing: [number, number] | null
  /** Height of a pixel for a width of one, by which it is drawn where its size is not known. */
  aspect: number
  thickness: number | null
  slope: number
  intercept: number
  /** Slope or intercept are there and cannot be read: the stored numbers are no values of anything. */
  isScaleLost: boolean
  /** What tells acquisitions of one series apart; null where the file does not say. */
  acquisition: Acquisition
  /** What tells planes of one place apart, in the order in which it counts. */
  times: number[]
}

type Acquisition = readonly (string | number | null)[]

export type Arranged = {
  /** By time, then by place. */
  planes: Plane[]
  slices: number
  times: number
  geometry: Geometry | null
  /** Where the first voxel of each slice lies by its own header; null of a stack. */
  places: Triple[] | null
  /** Whether the places are known: else the planes are a stack. */
  isBody: boolean
  notes: ViewNote[]
}

export function planesOf(file: DicomFile, fileIndex: number, frames: number): Plane[] {
  const shared = file.items('52009229')[0]
  const perFrame = file.items('52009230')
  const offsets = file.numbers('3004000c')
  return Array.from({ length: frames }, (_, frame) => {
    const look = (sequence: string, tag: string): number[] => {
      const places: (Group | undefined)[] = [
        perFrame[frame]?.items(sequence)[0],
        shared?.items(sequence)[0],
        file,
      ]
      return places.map((place) => place?.numbers(tag) ?? []).find((found) => found.length > 0) ?? []
    }
    const directions = directionsOf(look('00209116', '00200037'))
    const position = pointOf(look('00209113', '00200032'))
    const slope = file.numbers('3004000e')[0] ?? look('00289145', '00281053')[0]
    const intercept = look('00289145', '00281052')[0]
    return {
      file: fileIndex,
      frame,
      directions,
      position: position && directions ? moved(position, directions, offsets[frame]) : null,
      spacing: spacingOf(look('00289110', '00280030'), file.numbers('00181164')),
      aspect: pixelAspectOf(file),
      thickness: positive(look('00289110', '00180050')[0]) ?? positive(look('00289110', '00180088')[0]),
      slope: finite(slope, 1) || 1,
      intercept: finite(intercept, 0),
      isScaleLost: Number.isNaN(slope) || Number.isNaN(intercept),
      acquisition: [
        known(look('00209111', '00209128')[0] ?? file.numbers('00200100')[0]),
        known(look('00209111', '00209156')[0] ?? file.numbers('00200012')[0]),
        known(look('00189114', '00189082')[0] ?? file.numbers('00180081')[0]),
        known(look('00189117', '00189087')[0]),
        file.text('00080008') || null,
        known(look('00189118', '00209153')[0] ?? file.numbers('00181060')[0]),
        file.text('00080032') || null,
      ],
      times: [
        finite(look('00209111', '00209128')[0] ?? file.numbers('00200100')[0], 0),
        finite(file.numbers('00200012')[0], 0),
        finite(file.numbers('00180081')[0], 0),
        finite(file.numbers('00181060')[0], 0),
        finite(file.numbers('00200013')[0], 0),
        frame,
      ],
    }
  })
}

const known = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null
const finite = (value: number | undefined, otherwise: number): number =>
  value !== undefined && Number.isFinite(value) ? value : otherwise
const positive = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : null

const isPoint = (values: number[], count: number): boolean =>
  values.length >= count && values.slice(0, count).every(Number.isFinite)

const pointOf = (values: number[]): Triple | null => (isPoint(values, 3) ? triple(values) : null)

function directionsOf(values: number[]): Plane['directions'] {
  if (!isPoint(values, 6)) return null
  const [row, column] = [triple(values.slice(0, 3)), triple(values.slice(3, 6))]
  const isUpright = Math.abs(dot(row, column)) < 0.02
  return isUpright && [row, column].every((one) => Math.abs(dot(one, one) - 1) < 0.02) ? [row, column] : null
}

/** DICOM names the step between rows first. */
function spacingOf(pixels: number[], detector: number[]): Plane['spacing'] {
  const [row, column] = isPoint(pixels, 2) ? pixels : detector
  const [x, y] = [positive(column), positive(row)]
  return x !== null && y !== null ? [x, y] : null
}

/** Doses name their slices by the way from the first one. */
function moved(position: Triple, [row, column]: [Triple, Triple], offset: number | undefined): Triple {
  if (offset === undefined || !Number.isFinite(offset)) return position
  const [x, y, z] = scale(cross(row, column), offset)
  return [position[0] + x, position[1] + y, position[2] + z]
}

/** Two planes of one place lie closer than this, in millimetres. */
const SAME_PLACE = 0.01

export function arrange(planes: Plane[]): Arranged {
  const [first] = planes
  const directions = first?.directions ?? null
  const isBody =
    directions !== null && planes.every((plane) => plane.position && isParallel(plane.directions, directions))
  if (!first || !isBody || !directions) return stacked(planes)
  const normal = cross(...directions)
  const placed = planes
    .map((plane) => ({ plane, at: dot(plane.position ?? [0, 0, 0], normal) }))
    .sort((a, b) => a.at - b.at)
  const places: (typeof placed)[] = []
  for (const one of placed) {
    const last = places.at(-1)
    if (last?.[0] && one.at - last[0].at < SAME_PLACE) last.push(one)
    else places.push([one])
  }
  // One place again and again is a film, not a body.
  if (places.length === 1 && planes.length > 1) return stacked(planes)
  const counts = new Set(places.map((place) => place.length))
  const times = counts.size === 1 ? (places[0]?.length ?? 1) : 1
  const ordered = places.map((place) => place.map(({ plane }) => plane).sort(byTime))
  const steps = stepsOf(places.map((place) => place[0]?.at ?? 0))
  const starts: Triple[] = ordered.map((place) => place[0]?.position ?? first.position ?? [0, 0, 0])
  const third = thirdAxis(starts, normal)
  return {
    planes: Array.from({ length: times }, (_, time) => ordered.flatMap((place) => place[time] ?? [])).flat(),
    slices: places.length,
    times,
    isBody: true,
    geometry: {
      spacing: [...(first.spacing ?? [1, first.aspect]), (steps.step ?? first.thickness ?? 1) * third.longer],
      origin: ordered[0]?.[0]?.position ?? null,
      axes: [...directions, third.axis],
    },
    places: starts,
    notes: [
      ...steps.notes,
      ...(third.degrees > 0 ? [{ name: 'slices_sheared' as const, params: { degrees: third.degrees } }] : []),
      ...(counts.size > 1
        ? [{ name: 'slices_twice' as const, params: { count: planes.length - places.length } }]
        : []),
      ...(first.spacing === null ? [{ name: 'spacing_unknown' as const, params: {} }] : []),
    ],
  }
}

/** Slices whose first voxels drift less than this beside each other, in millimetres, drift by rounding. */
const DRIFT = 0.05

/**
 * The way from slice to slice. A tilted gantry moves the table along the patient, not along the normal of its slices: the
 * stack is sheared, and its third axis leads where the slices lie. `longer`: that way for one step along the normal.
 */
function thirdAxis(
  starts: readonly Triple[],
  normal: Triple,
): { axis: Triple; longer: number; degrees: number } {
  const straight = { axis: normal, longer: 1, degrees: 0 }
  const [first, last] = [starts[0], starts.at(-1)]
  if (!first || !last) return straight
  const way: Triple = [last[0] - first[0], last[1] - first[1], last[2] - first[2]]
  const up = dot(way, normal)
  const whole = length(way)
  const drift = Math.sqrt(Math.max(whole * whole - up * up, 0))
  if (drift < DRIFT || up <= 0) return straight
  const degrees = Math.round((Math.atan2(drift, up) * 1800) / Math.PI) / 10
  return { axis: scale(way, 1 / whole), longer: whole / up, degrees }
}

export const isParallel = (some: Plane['directions'], [row, column]: [Triple, Triple]): boolean =>
  some !== null && dot(some[0], row) > 0.999 && dot(some[1], column) > 0.999

const byTime = (a: Plane, b: Plane): number => {
  const index = a.times.findIndex((time, at) => time !== b.times[at])
  return index < 0 ? 0 : (a.times[index] ?? 0) - (b.times[index] ?? 0)
}

export function stacked(planes: Plane[]): Arranged {
  const ordered = [...planes].sort((a, b) => a.file - b.file || byTime(a, b))
  const inFiles = new Set(planes.map(({ file }) => file)).size > 1
  const byNumber = inFiles ? [...planes].sort(byTime) : ordered
  const [first] = byNumber
  return {
    planes: byNumber,
    slices: planes.length,
    times: 1,
    isBody: false,
    geometry: first?.spacing
      ? { spacing: [...first.spacing, first.thickness ?? 1], origin: null, axes: null }
      : null,
    places: null,
    notes: [
      ...(inFiles ? [{ name: 'positions_missing' as const, params: {} }] : []),
      ...(first?.spacing ? [] : [{ name: 'spacing_unknown' as const, params: {} }]),
    ],
  }
}

/** The usual way from slice to slice, and where it differs. */
function stepsOf(places: number[]): { step: number | null; notes: ViewNote[] } {
  const steps = places.slice(1).map((at, index) => at - (places[index] ?? 0))
  if (steps.length === 0) return { step: null, notes: [] }
  const sorted = [...steps].sort((a, b) => a - b)
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 1
  const [least = usual, greatest = usual] = [sorted[0], sorted.at(-1)]
  const missing = steps.reduce((sum, step) => sum + Math.max(Math.round(step / usual) - 1, 0), 0)
  const isUneven = steps.some((step) => Math.abs(step / usual - Math.max(Math.round(step / usual), 1)) > 0.05)
  // Even steps are known more exactly by their sum.
  const isEven = missing === 0 && !isUneven
  const whole = ((places.at(-1) ?? 0) - (places[0] ?? 0)) / steps.length
  return {
    step: isEven ? whole : usual,
    notes: [
      ...(missing > 0
        ? [{ name: 'slice_gaps' as const, params: { count: missing, step: round(usual) } }]
        : []),
      ...(isUneven
        ? [
            {
              name: 'slice_spacing_uneven' as const,
              params: { least: round(least), greatest: round(greatest) },
            },
          ]
        : []),
    ],
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
