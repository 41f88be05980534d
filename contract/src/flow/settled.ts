/** What still stands between a look at files and a study: one rule, for the page, which marks it, and for the server, which refuses. Pure. */
import type {
  FlowAnswer,
  FlowDirection,
  FlowLook,
  FlowProblem,
  FlowProblemName,
  FlowSeries,
} from './study.ts'

export const flowCells = ['role', 'direction', 'unit', 'venc'] as const
/** What may be unsure of a series. */
export type FlowCell = (typeof flowCells)[number]

/** One place of the table that a person has not filled in yet. */
export type FlowQuestion = { series: string; what: FlowCell }

export type FlowLeft = {
  /** The table with the answers in it. */
  series: FlowSeries[]
  questions: FlowQuestion[]
  /** What stands in the way. */
  problems: FlowProblem[]
  /** What is good to know. */
  notes: FlowProblem[]
}

/** The series as a person settled it; what is left out stays as it was told. */
export function answeredSeries(series: FlowSeries, answer: FlowAnswer): FlowSeries {
  const said = answer.series.find(({ id }) => id === series.id)
  if (!said) return series
  return {
    ...series,
    role: said.role ?? series.role,
    direction: said.direction ?? series.direction,
    unit: said.unit ?? series.unit,
    venc: said.venc ?? series.venc,
    unsure: series.unsure.filter((what) => said[what] === undefined),
  }
}

/**
 * A study can be made where neither questions nor problems are left. Problems that answers can change are judged anew; others
 * stay as the files told them. Making reads the files once more, and may find what no table shows.
 */
export function stillOpen(look: FlowLook, answer: FlowAnswer): FlowLeft {
  const series = look.series.map((one) => answeredSeries(one, answer))
  const told = look.problems.filter((one) => stands(one, { look, series, answer }))
  const all = [...judged(series, told), ...judgedBeat(look, answer), ...told]
  return {
    series,
    questions: series.flatMap(questionsOf),
    problems: all.filter(({ isBlocking }) => isBlocking),
    notes: all.filter(({ isBlocking }) => !isBlocking),
  }
}

/** A guess that nobody confirmed, and what a velocity cannot do without. Of other series the role alone matters. */
function questionsOf(series: FlowSeries): FlowQuestion[] {
  const cells = series.role === 'velocity' ? flowCells : (['role'] as const)
  return cells
    .filter((what) => series[what] === null || series.unsure.includes(what))
    .map((what) => ({ series: series.id, what }))
}

function judged(series: readonly FlowSeries[], told: readonly FlowProblem[]): FlowProblem[] {
  const velocity = series.filter(({ role }) => role === 'velocity')
  const [first] = velocity
  if (!first) return [blocking('no_velocity')]
  const twice = twiceIn(velocity)
  const other = velocity.find((one) => !isAlike(one, first))
  const isKnown = told.some(({ reason }) => reason === 'unequal_grids')
  return [
    ...(twice === null ? [] : [blocking('direction_twice', { direction: twice })]),
    // Of three, one without a direction is an open question.
    ...(velocity.length < 3 ? [blocking('direction_missing', { found: velocity.length })] : []),
    ...(other && !isKnown ? [blocking('unequal_grids', { series: other.name, other: first.name })] : []),
  ]
}

/** A beat that a person says, against the frames in it. */
function judgedBeat({ times }: FlowLook, { period }: FlowAnswer): FlowProblem[] {
  const span = (times?.at(-1) ?? 0) - (times?.[0] ?? 0)
  return period === undefined || period > span ? [] : [blocking('period_too_short', { period, span })]
}

const blocking = (reason: FlowProblemName, params: FlowProblem['params'] = {}): FlowProblem => ({
  reason,
  params,
  isBlocking: true,
})

/** The first direction whose axis another series has already, or that is one too many. */
function twiceIn(velocity: readonly FlowSeries[]): FlowDirection | null {
  const axes = new Set<string>()
  for (const { direction } of velocity) {
    if (direction === null) continue
    const axis = axisOf(direction)
    if (axes.has(axis) || axes.size === 3) return direction
    axes.add(axis)
  }
  return null
}

/** RL and LR lie on one axis, +x and -x too. How those of the patient lie in the grid is known to who makes the study. */
const axisOf = (direction: FlowDirection): string => [...direction.replace(/[+-]/, '')].sort().join('')

const isInGrid = ({ direction }: FlowSeries): boolean => direction !== null && /^[+-]/.test(direction)

const isAlike = (a: FlowSeries, b: FlowSeries): boolean =>
  a.frames === b.frames && a.size.every((length, axis) => length === b.size[axis])

type Answered = { look: FlowLook; series: readonly FlowSeries[]; answer: FlowAnswer }

/** Whether what was found is still so. */
function stands({ reason, params, isBlocking }: FlowProblem, { look, series, answer }: Answered): boolean {
  const hasOther = (...cells: FlowCell[]): boolean =>
    look.series.some((one, at) => cells.some((cell) => one[cell] !== series[at]?.[cell]))
  switch (reason) {
    // Told of the table as it is answered, not as it was found; a VENC or unit that lacks is a question.
    case 'no_velocity':
    case 'direction_missing':
    case 'direction_twice':
    case 'venc_unknown':
    case 'unit_unknown':
      return false
    case 'period_unknown':
    case 'period_too_short':
      return answer.period === undefined
    // Once a beat is told frames share it: no more than a note.
    case 'times_unknown':
      return !isBlocking || (answer.period === undefined && !hasOther('role'))
    case 'spacing_unknown':
      return answer.spacing === undefined && !hasOther('role')
    case 'spacing_unit_unknown':
      return answer.spacing === undefined
    case 'magnitude_missing':
      return series.every(({ role }) => role !== 'magnitude')
    // Told of the series that were taken: of others only making the study tells.
    case 'two_studies':
    case 'too_large':
      return !hasOther('role')
    case 'scale_doubtful':
      return !hasOther('role', 'unit', 'venc')
    // Directions of the grid need no place in the patient.
    case 'unplaced': {
      const velocity = series.filter(({ role }) => role === 'velocity')
      const hasSpacing = look.spacing !== null || answer.spacing !== undefined
      return !isBlocking || !(hasOther('role') || (hasSpacing && velocity.every(isInGrid)))
    }
    default:
      return ![params.series, params.other].some((name) => isLeftOut(name, series))
  }
}

/** No problem of the study any more. */
function isLeftOut(name: string | number | undefined, series: readonly FlowSeries[]): boolean {
  const named = series.filter((one) => one.name === name)
  return named.length > 0 && named.every(({ role }) => role === 'unused')
}
