/** What labels stand for: the classes of a label set, their colours, keys and skeletons, and the rules for them. Data only. */
import * as z from 'zod'
import { labelling as limits, names } from '../limits.ts'

/** What people mark with. Texts: `labelling:mark.<name>`. */
export const marks = ['tags', 'boxes', 'outlines', 'lines', 'points', 'pixels'] as const
export const markSchema = z.enum(marks)
export type Mark = z.infer<typeof markSchema>

/**
 * `background`: what everything is that nobody marked; it has no hand of its own but counts as a label.
 * `ignore`: areas that count nowhere, neither in learning nor in a score.
 */
export const classUses = ['class', 'background', 'ignore'] as const

const shortText = (length: number) => z.string().trim().min(1).max(length)

export const labelClassSchema = z.object({
  /** Stays the same when the name changes, so that no label is lost by a better word. */
  id: z.string().regex(/^[\w-]{1,24}$/),
  name: shortText(limits.classNameLength),
  /** What counts as this; shown to readers. */
  description: z.string().trim().max(names.description).default(''),
  colour: z.string().regex(/^#[0-9a-f]{6}$/),
  /** Digit on the keyboard that chooses it. */
  key: z.int().min(1).max(9).nullable().default(null),
  use: z.enum(classUses).default('class'),
  /** Of things that are marked by points: their names and which of them are joined, by index. */
  skeleton: z
    .object({
      points: z.array(shortText(limits.classNameLength)).min(1).max(limits.skeletonPoints),
      joins: z.array(z.tuple([z.int().min(0), z.int().min(0)])).max(limits.skeletonPoints * 2),
    })
    .nullable()
    .default(null),
})
export type LabelClass = z.infer<typeof labelClassSchema>

/** Why a list of classes is refused: keys `labelling:classes.<name>`, with the name that breaks the rule. */
export type ClassProblem =
  | { rule: 'too_few'; name: '' }
  | { rule: 'duplicate' | 'key_twice' | 'join_unknown' | 'background_twice'; name: string }

/** Names that differ in case, width or composition alone are the same to people. */
export const sameName = (name: string): string => name.normalize('NFKC').trim().toLocaleLowerCase('en')

/** The first rule that the list breaks; null = none. At least two labels are needed, the background among them. */
export function classProblem(classes: readonly LabelClass[]): ClassProblem | null {
  const seen = new Set<string>()
  const keys = new Set<number>()
  for (const { name, key, skeleton } of classes) {
    if (seen.has(sameName(name))) return { rule: 'duplicate', name }
    seen.add(sameName(name))
    if (key !== null && keys.has(key)) return { rule: 'key_twice', name }
    if (key !== null) keys.add(key)
    const count = skeleton?.points.length ?? 0
    if (skeleton?.joins.some(([from, to]) => from >= count || to >= count || from === to))
      return { rule: 'join_unknown', name }
  }
  const second = classes.filter(({ use }) => use === 'background')[1]
  if (second) return { rule: 'background_twice', name: second.name }
  return classes.filter(({ use }) => use !== 'ignore').length < 2 ? { rule: 'too_few', name: '' } : null
}

/** Told apart by people with any colour vision and on grey images (after Okabe and Ito 2008, then by hue). */
export const classColours = [
  '#e69f00',
  '#56b4e9',
  '#009e73',
  '#f0e442',
  '#0072b2',
  '#d55e00',
  '#cc79a7',
  '#9a6324',
  '#46f0f0',
  '#f032e6',
  '#bcf60c',
  '#e6194b',
] as const
