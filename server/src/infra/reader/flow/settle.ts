/** From series that were recognised, and what a person says of them, to three directions and a magnitude; or why they do not go together. */
import type { FlowAnswer, FlowProblem, FlowSeries } from '@neuroloom/contract/flow/study'
import { flowReading } from '@neuroloom/contract/limits'
import { cross, dot, type Triple } from '../model.ts'
import { gapsOf, stepOf } from './grid.ts'
import { blocking, type FlowRow, note, type Traits } from './images.ts'
import { inGrid, turnedIntoGrid } from './rules.ts'

export type Settled = {
  rows: FlowRow[]
  velocity: FlowRow[]
  magnitude: FlowRow | null
  times: number[] | null
  period: number | null
  gating: Traits['gating']
  spacing: Triple | null
  problems: FlowProblem[]
}

/** An answer to nothing leaves everything as it was told. */
export function settle(found: readonly FlowRow[], answer: FlowAnswer): Settled {
  const rows = chosen(found).map((row) => answered(row, answer))
  const velocity = rows.filter(({ series }) => series.role === 'velocity')
  const magnitude = rows.find(({ series }) => series.role === 'magnitude') ?? null
  const [first] = velocity
  const told = first ? timesOf(first, answer) : { times: null, period: null, gating: 'unknown' as const }
  const settled = { rows, velocity, magnitude, ...told, spacing: first ? spacingOf(first) : null }
  return { ...settled, problems: problemsOf(settled) }
}

/** Of several examinations in one folder the fullest is taken; all that could stand in its place is unsure. */
function chosen(rows: readonly FlowRow[]): FlowRow[] {
  const velocity = rows.filter(({ series }) => series.role === 'velocity')
  const kept = fullest(velocity)
  const [lead] =
    kept.length > 0
      ? kept
      : fullestOf(
          rows.filter(({ series }) => series.frames > 1),
          shapeOf,
        )
  const beside = rows.filter((row) => lead && isBeside(row, lead))
  const near = beside.filter(({ series }) => series.role === 'magnitude')
  const same = near.filter((row) => lead && shapeOf(row) === shapeOf(lead))
  // One that lies in another grid is taken only to say so.
  const magnitudes = same.length > 0 ? same : near
  return rows.map((row): FlowRow => {
    if (kept.includes(row)) return row
    if (row.series.role === 'velocity') return withRole(row, 'unused', { isUnsure: true })
    const isMagnitude = row === magnitudes[0]
    // What nobody named may be anything, where something is missing.
    const isOpen = kept.length === 0 ? beside.length > 2 : magnitudes.length === 0
    const isOneOfMany = magnitudes.length > 1 && magnitudes.includes(row)
    const isUnsure = row.series.role === 'magnitude' ? isOneOfMany : isOpen && beside.includes(row)
    return withRole(row, isMagnitude ? 'magnitude' : 'unused', { isUnsure })
  })
}

const examinationOf = ({ traits }: FlowRow): string =>
  JSON.stringify([traits.study, traits.patient, traits.frameOfReference])
const shapeOf = (row: FlowRow): string =>
  JSON.stringify([examinationOf(row), ...row.series.size.slice(0, 2), row.series.frames])

/** Of one examination; of two scans in it, that differ in shape and claim the same direction, of one scan. */
function fullest(velocity: readonly FlowRow[]): FlowRow[] {
  const kept = fullestOf(velocity, examinationOf)
  const named = kept.flatMap(({ series }) => series.direction ?? [])
  return new Set(named).size < named.length || kept.length > 3 ? fullestOf(kept, shapeOf) : kept
}

function fullestOf(rows: readonly FlowRow[], keyOf: (row: FlowRow) => string): FlowRow[] {
  const groups = new Map<string, FlowRow[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return [...groups.values()].sort((a, b) => scoreOf(b) - scoreOf(a))[0] ?? []
}

const scoreOf = (rows: readonly FlowRow[]): number =>
  new Set(rows.map(({ series }) => series.direction ?? series.id)).size * 1e6 +
  rows.reduce((sum, { images }) => sum + images.length, 0)

/** A picture of another size, of one time, is no part of a film. */
function isBeside(row: FlowRow, lead: FlowRow): boolean {
  const [x, y] = row.series.size
  const isSized = x === lead.series.size[0] && y === lead.series.size[1]
  const isTimed = row.series.frames > 1 && row.series.frames === lead.series.frames
  return examinationOf(row) === examinationOf(lead) && (isSized || isTimed)
}

/** What was recognised beside the role stays, for whoever chooses another one. */
function withRole(row: FlowRow, role: FlowSeries['role'], { isUnsure }: { isUnsure: boolean }): FlowRow {
  const others = role === 'unused' ? [] : row.series.unsure.filter((one) => one !== 'role')
  return { ...row, series: { ...row.series, role, unsure: isUnsure ? ['role', ...others] : others } }
}

function answered(row: FlowRow, answer: FlowAnswer): FlowRow {
  const said = answer.series.find(({ id }) => id === row.series.id)
  if (!said) return row
  const { role = row.series.role, direction, unit, venc } = said
  const { series } = row
  const isNamed = direction !== undefined && direction !== series.direction
  return {
    ...row,
    // The direction that a person names is meant exactly.
    traits: isNamed ? { ...row.traits, vector: null } : row.traits,
    series: {
      ...series,
      role,
      direction: direction ?? series.direction,
      unit: unit ?? series.unit,
      venc: venc ?? series.venc,
      unsure: series.unsure.filter((one) => said[one] === undefined),
    },
  }
}

/** Where a positive value goes, in the axes of the grid. */
export function directionOf({ series, traits }: FlowRow): Triple | null {
  if (traits.vector && traits.directions) return turnedIntoGrid(traits.vector, traits.directions)
  return series.direction ? inGrid(series.direction, traits.directions) : null
}

export function spacingOf({ traits, grid }: FlowRow): Triple | null {
  const step = stepOf(grid) ?? traits.thickness
  return traits.spacing && step !== null && step > 0 ? [...traits.spacing, step] : null
}

type Timed = Pick<Settled, 'times' | 'period' | 'gating'>

/**
 * The beat is what a person says; else what the files say (NominalInterval, RR interval, heart rate: see `periodOf`), if no frame
 * was taken after it; else the last frame's time and a step more, which holds where frames fill the beat (not with prospective gating).
 */
function timesOf({ traits, grid }: FlowRow, answer: FlowAnswer): Timed {
  const gating = answer.gating ?? traits.gating
  const told = grid.times.flatMap((time) => time ?? [])
  const isTold = told.length === grid.times.length && (told.length < 2 || (told.at(-1) ?? 0) > (told[0] ?? 0))
  const [first = 0, last = 0] = isTold ? [told[0], told.at(-1)] : []
  const filled =
    isTold && told.length > 1 && gating !== 'prospective' ? last + (last - first) / (told.length - 1) : null
  const said = traits.period !== null && traits.period > last ? traits.period : null
  const period = answer.period ?? said ?? filled
  if (isTold) return { times: told, period, gating }
  const count = grid.times.length
  return { times: period === null ? null : grid.times.map((_, at) => (at * period) / count), period, gating }
}

function problemsOf({
  velocity,
  magnitude,
  times,
  period,
  spacing,
}: Omit<Settled, 'problems'>): FlowProblem[] {
  const [first] = velocity
  if (!first) return [blocking('no_velocity')]
  const used = [...velocity, ...(magnitude ? [magnitude] : [])]
  const isUntimed = first.grid.times.some((time) => time === null) && first.grid.times.length > 1
  const isPlaced = first.traits.directions !== null && first.images.every(({ position }) => position !== null)
  const bytes = 8 * first.images.length * first.traits.columns * first.traits.rows
  const studies = new Set(used.map(({ traits }) => JSON.stringify([traits.study, traits.patient])))
  return [
    ...(studies.size > 1 && first.traits.source === 'dicom'
      ? [blocking('two_studies', { count: studies.size })]
      : []),
    ...directionProblems(velocity),
    ...velocity.flatMap(unknownOf),
    ...gapsOf(used),
    ...(bytes > flowReading.studyBytes
      ? [blocking('too_large', { bytes, most: flowReading.studyBytes })]
      : []),
    ...(first.grid.times.length === 1 ? [note('one_time')] : []),
    ...(isUntimed ? [times === null ? blocking('times_unknown') : note('times_unknown')] : []),
    ...(period === null && first.grid.times.length > 1 ? [note('period_unknown')] : []),
    ...(magnitude === null ? [note('magnitude_missing')] : []),
    // Directions of a patient mean nothing in a grid that lies nowhere, nor does a grid without spacing.
    ...(isPlaced && spacing ? [] : [unplaced(velocity, spacing)]),
  ]
}

const unknownOf = ({ series }: FlowRow): FlowProblem[] => [
  ...(series.venc === null ? [blocking('venc_unknown', { series: series.name })] : []),
  ...(series.unit === null ? [blocking('unit_unknown', { series: series.name })] : []),
]

const unplaced = (velocity: readonly FlowRow[], spacing: Triple | null): FlowProblem => {
  const isLost = velocity.some((row) => row.series.direction !== null && directionOf(row) === null)
  return isLost || spacing === null ? blocking('unplaced') : note('unplaced')
}

/** Three series whose directions span the space, each once. */
function directionProblems(velocity: readonly FlowRow[]): FlowProblem[] {
  const known = velocity.filter(({ series }) => series.direction !== null)
  const vectors = known.flatMap((row) => {
    const vector = directionOf(row)
    return vector ? [{ vector, name: row.series.direction ?? '' }] : []
  })
  const twice = vectors.find(({ vector }, at) =>
    vectors.slice(0, at).some((other) => Math.abs(dot(vector, other.vector)) > 0.9),
  )
  if (twice) return [blocking('direction_twice', { direction: twice.name })]
  if (known.length !== 3 || velocity.length !== 3)
    return [blocking('direction_missing', { found: Math.min(known.length, 3) })]
  const [a, b, c] = vectors.map(({ vector }) => vector)
  const isFlat = a && b && c && Math.abs(dot(a, cross(b, c))) < 0.3
  return isFlat ? [blocking('direction_missing', { found: 2 })] : []
}

/** Those that come closest to x, y and z, in this order. */
export function inOrder(velocity: readonly FlowRow[]): FlowRow[] {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ].map((order) => order.flatMap((at) => velocity[at] ?? []))
  const near = (rows: readonly FlowRow[]): number =>
    rows.reduce((sum, row, axis) => sum + Math.abs(directionOf(row)?.[axis] ?? 0), 0)
  return orders.reduce((best, order) => (near(order) > near(best) + 1e-9 ? order : best), orders[0] ?? [])
}
