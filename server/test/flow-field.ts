/** A flow that is known everywhere, in a grid that lies aslant: what scanners would measure of it. Pure. */

type Triple = [number, number, number]

export type FlowField = {
  size: Triple
  frames: number
  /** mm, between columns, rows and slices. */
  spacing: Triple
  /** Along a row and along a column; in DICOM's axes (left, back, head), as all places and velocities here. */
  directions: [Triple, Triple]
  /** Of the first voxel's middle, in mm. */
  origin: Triple
  /** Seconds after the R wave. */
  times: number[]
  period: number
  /** m/s. */
  venc: number
  /** m/s, at a place in mm and a time in seconds. */
  velocityAt(place: Triple, time: number): Triple
  magnitudeAt(place: Triple): number
}

/** Waves that swell and fade with the beat: smooth, without symmetry, and within 0.9 of the VENC. */
export function makeField(change: Partial<FlowField> = {}): FlowField {
  const venc = change.venc ?? 1.5
  const period = change.period ?? 0.9
  const frames = change.frames ?? 6
  return {
    size: [24, 20, 12],
    frames,
    spacing: [1.8, 2.1, 2.4],
    directions: aslant(0.31, -0.22, 0.47),
    origin: [-31.25, 12.5, -8.75],
    times: Array.from({ length: frames }, (_, at) => 0.012 + (at * period) / frames),
    period,
    venc,
    velocityAt([x, y, z], time) {
      const beat = 0.6 + 0.4 * Math.sin((2 * Math.PI * time) / period)
      const wave = (a: number, b: number, c: number): number =>
        0.5 * venc * beat * Math.sin(x / a + y / b + z / c)
      return [wave(17, 23, -31), wave(-29, 13, 19), wave(11, -37, 27)]
    },
    magnitudeAt: ([x, y, z]) => Math.round(900 + 500 * Math.sin(x / 15) * Math.cos(y / 12 + z / 18)),
    ...change,
  }
}

/** Rows and columns of a plane turned about x, then y, then z. */
function aslant(x: number, y: number, z: number): [Triple, Triple] {
  const [cx, sx, cy, sy, cz, sz] = [x, y, z].flatMap((angle) => [Math.cos(angle), Math.sin(angle)])
  const at = (value: number | undefined): number => value ?? 0
  return [
    [at(cz) * at(cy), at(sz) * at(cy), -at(sy)],
    [at(cz) * at(sy) * at(sx) - at(sz) * at(cx), at(sz) * at(sy) * at(sx) + at(cz) * at(cx), at(cy) * at(sx)],
  ]
}

export const normalOf = ({ directions: [[a, b, c], [d, e, f]] }: FlowField): Triple => [
  b * f - c * e,
  c * d - a * f,
  a * e - b * d,
]

/** The middle of a voxel, which may lie between those of the grid. */
export function placeOf(field: FlowField, [x, y, z]: Triple): Triple {
  const [row, column] = field.directions
  const normal = normalOf(field)
  const [dx, dy, dz] = field.spacing
  const at = (part: number): number =>
    (field.origin[part] ?? 0) +
    (row[part] ?? 0) * x * dx +
    (column[part] ?? 0) * y * dy +
    (normal[part] ?? 0) * z * dz
  return [at(0), at(1), at(2)]
}

export const along = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** What is seen of one slice at one time: m/s along a direction, or the magnitude. */
export function planeOf(
  field: FlowField,
  slice: number,
  time: number,
  direction: Triple | null,
): Float64Array {
  const [columns, rows] = field.size
  const plane = new Float64Array(columns * rows)
  for (let at = 0; at < plane.length; at += 1) {
    const place = placeOf(field, [at % columns, Math.floor(at / columns), slice])
    const seconds = field.times[time] ?? 0
    plane[at] = direction ? along(field.velocityAt(place, seconds), direction) : field.magnitudeAt(place)
  }
  return plane
}
