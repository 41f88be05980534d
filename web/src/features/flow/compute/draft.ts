/** What a run is asked, while a person settles it: fields may be empty or wrong here. Pure. */
import {
  type FlowKind,
  type FlowOptionName,
  type FlowSettings,
  startSettings,
} from '@neuroloom/contract/flow/options'
import type { FlowCorrections, FlowRun } from '@neuroloom/contract/flow/run'
import { runProblems } from '@neuroloom/contract/flow/run-problems'
import type { FitOrder } from '@neuroloom/contract/flow/window-weights'
import { flow as limits } from '@neuroloom/contract/limits'

export const maskWays = ['automatic', 'level', 'file'] as const

export type Draft = {
  kinds: readonly FlowKind[]
  /** An emptied number is none. */
  settings: FlowSettings
  fitOrder: FitOrder
  seed: number
  corrections: FlowCorrections
  mask: {
    way: (typeof maskWays)[number]
    /** Per cent. */
    level: number | null
    /** Places, one a line. */
    grow: string
    /** Without a name where an earlier run chose it. */
    file: { id: string; name: string | null } | null
  }
}

/** Safe for any study: the background is only fitted by whoever knows that enough tissue stands still. */
export const startDraft: Draft = {
  kinds: ['vortex', 'fluidLine'],
  settings: startSettings,
  fitOrder: 1,
  seed: 1,
  corrections: { offset: null, unwrap: true, turn: null },
  mask: { way: 'automatic', level: null, grow: '', file: null },
}

/** Of a study that a network made finer, which was corrected before. */
const uncorrected: FlowCorrections = { offset: null, unwrap: false, turn: null }

/** What a form begins with on a study. */
export const startOf = (isSharpened: boolean): Draft =>
  isSharpened ? { ...startDraft, corrections: uncorrected } : startDraft

/** With the corrections of another study, which was made finer or was not. */
export const correctedFor = (draft: Draft, isSharpened: boolean): Draft => ({
  ...draft,
  corrections: startOf(isSharpened).corrections,
})

/** As an earlier run was asked; directions, places and files hold for the study that it read. */
export function draftOf(asked: FlowRun, isSameStudy: boolean): Draft {
  const { kinds, settings, fitOrder, seed, corrections, mask } = asked
  const kept = { kinds, settings, fitOrder, seed }
  if (!isSameStudy)
    return { ...startDraft, ...kept, corrections: { ...corrections, turn: null }, mask: startDraft.mask }
  if (mask.kind === 'file')
    return {
      ...kept,
      corrections,
      mask: { ...startDraft.mask, way: 'file', file: { id: mask.fileId, name: null } },
    }
  const { level, grow } = mask
  return {
    ...kept,
    corrections,
    mask: {
      way: level === null ? 'automatic' : 'level',
      level: level === null ? null : Math.round(1000 * level) / 10,
      grow: grow.map((place) => place.map((voxel) => voxel + 1).join(', ')).join('\n'),
      file: null,
    },
  }
}

export type Field = FlowOptionName | 'study' | 'kinds' | 'fitOrder' | 'level' | 'grow' | 'file'
/** `text` with its namespace, or what the server said. */
export type Problem = { field: Field } & (
  | { text: string; params: Record<string, string | number> }
  | { said: string }
)

type Size = readonly [number, number, number]

/** All that stands in the way, once each, in the order of the form. */
export function problemsOf(draft: Draft, { size, frames }: { size: Size; frames: number }): Problem[] {
  const found = runProblems(draft, { size: [...size], frames })
  const told = new Set<string>()
  const options = found.flatMap(({ field, reason, params }): Problem[] => {
    if (told.has(field) || field === 'slice') return []
    told.add(field)
    // Frames are those of the study.
    return [{ field: field === 'frames' ? 'study' : field, text: `flow-options:refused.${reason}`, params }]
  })
  return [...maskProblems(draft.mask, size), ...options]
}

function maskProblems({ way, level, grow, file }: Draft['mask'], size: Size): Problem[] {
  if (way === 'file') return file === null ? [problem('file', 'fileMissing')] : []
  const isLevel = level !== null && level >= 0 && level <= 100
  const problems = way === 'level' && !isLevel ? [problem('level', 'levelMissing')] : []
  const lines = linesOf(grow)
  const wrong = lines.findIndex((line) => placeOf(line, size) === null)
  if (wrong >= 0) problems.push(problem('grow', 'growWrong', { line: wrong + 1, size: size.join(' × ') }))
  if (lines.length > limits.grow) problems.push(problem('grow', 'growMany', { limit: limits.grow }))
  return problems
}

const problem = (field: Field, name: string, params: Record<string, string | number> = {}): Problem => ({
  field,
  text: `flow-project:form.${name}`,
  params,
})

const linesOf = (grow: string): string[] => grow.split('\n').filter((line) => line.trim() !== '')

/** A line as a voxel from 0; null where it is none of the grid. */
function placeOf(line: string, size: Size): [number, number, number] | null {
  const numbers = line
    .trim()
    .split(/[\s,;]+/)
    .map(Number)
  const [x, y, z] = numbers
  if (numbers.length !== 3 || x === undefined || y === undefined || z === undefined) return null
  const isInside = numbers.every((one, axis) => Number.isInteger(one) && one >= 1 && one <= (size[axis] ?? 0))
  return isInside ? [x - 1, y - 1, z - 1] : null
}

/** Of a draft without problems. */
export function askedOf({ kinds, mask, ...rest }: Draft, size: Size): FlowRun {
  if (mask.way === 'file' && mask.file !== null)
    return { ...rest, kinds: [...kinds], mask: { kind: 'file', fileId: mask.file.id } }
  const level = mask.way === 'level' && mask.level !== null ? mask.level / 100 : null
  const grow = linesOf(mask.grow).flatMap((line) => {
    const place = placeOf(line, size)
    return place === null ? [] : [place]
  })
  return { ...rest, kinds: [...kinds], mask: { kind: 'threshold', level, grow } }
}
