/** What a mark says: lengths, angles, areas and values, from its points and the image below. Pure. */
import {
  angleAt,
  angleBetween,
  ellipseArea,
  insideEllipse,
  insidePolygon,
  isCrossed,
  lengthOf,
  type Point,
  type Profile,
  polygonArea,
  profileAlong,
  resolutionOf,
  type Steps,
  type ValueAt,
  type Values,
  valuesInside,
} from './geometry.ts'
import type { Mark } from './marks.ts'

/** A slice of the image as it is measured on. */
export type Grid = {
  size: Point
  /** Millimetres a pixel at these points; null = unknown there, so pixels are counted. */
  stepsAt: (points: readonly Point[]) => Steps | null
  valueAt: ValueAt
}

export type Measured = {
  /** It shows a place, and measures nothing. */
  isPointer: boolean
  isMillimetres: boolean
  length: number | null
  /** Of the length: one pixel more or less. */
  resolution: number | null
  degrees: number | null
  area: number | null
  /** The outline crosses itself: its area means little. */
  isCrossed: boolean
  values: Values | null
  value: number | null
  profile: Profile | null
}

export function measure({ kind, points }: Pick<Mark, 'kind' | 'points'>, grid: Grid): Measured {
  const known = grid.stepsAt(points)
  const steps = known ?? PIXELS
  const nothing = { ...empty, isMillimetres: known !== null }
  const [a, b, c, d] = points
  if (!a) return nothing
  switch (kind) {
    case 'arrow':
      return { ...nothing, isPointer: true }
    case 'point':
      return { ...nothing, value: grid.valueAt(Math.floor(a[0]), Math.floor(a[1])) }
    case 'angle':
      return b && c ? { ...nothing, degrees: angleAt([a, b, c], steps) } : nothing
    case 'cobb':
      return b && c && d ? { ...nothing, degrees: angleBetween([a, b, c, d], steps) } : nothing
    case 'distance':
    case 'profile': {
      if (!b) return nothing
      const line = { ...nothing, length: lengthOf(a, b, steps), resolution: resolutionOf(a, b, steps) }
      return kind === 'distance' ? line : { ...line, profile: profileAlong([a, b], { ...grid, steps }) }
    }
    case 'ellipse':
      return b
        ? { ...nothing, area: ellipseArea([a, b], steps), values: valuesInside(insideEllipse([a, b]), grid) }
        : nothing
    case 'polygon':
    case 'freehand':
      return {
        ...nothing,
        area: polygonArea(points, steps),
        isCrossed: isCrossed(points),
        values: valuesInside(insidePolygon(points), grid),
      }
  }
}

const PIXELS: Steps = [1, 1]

const empty = {
  isPointer: false,
  length: null,
  resolution: null,
  degrees: null,
  area: null,
  isCrossed: false,
  values: null,
  value: null,
  profile: null,
}

/** Of colours, how bright they look (ITU-R BT.709). */
export const brightnessOf = (red: number, green: number, blue: number): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue
