/** What a mean over classes hides: the class that a result does worst on. Free of schemas: pages load it. */
import type { Task } from '../task.ts'

type Values = Readonly<Record<string, number | null | undefined>>
export type PerClass = readonly { class: string; values: Values }[]

/** `never` and `seldom` count pictures or boxes; of outlines there is a Dice alone. */
type ClassFinding =
  | { kind: 'never' | 'seldom'; class: string; found: number; of: number }
  | { kind: 'neverOutlined' | 'worstOutlined'; class: string; dice: number }

/** Below this a class is missed more often than found. */
const HALF = 0.5

/** Of every class that occurs in truth. */
function findingOf(task: Task, { class: name, values }: PerClass[number]): ClassFinding | null {
  switch (task) {
    case 'classification':
    case 'multilabel':
    case 'detection': {
      const of = (task === 'detection' ? values.boxes : values.support) ?? 0
      const { recall } = values
      if (of === 0 || recall === null || recall === undefined) return null
      const found = Math.round(recall * of)
      return { kind: found === 0 ? 'never' : 'seldom', class: name, found, of }
    }
    case 'segmentation':
    case 'volume_segmentation': {
      const { sensitivity, dice } = values
      // Without a true point there is nothing to be missed.
      if (sensitivity === null || sensitivity === undefined || dice === null || dice === undefined)
        return null
      return { kind: sensitivity === 0 ? 'neverOutlined' : 'worstOutlined', class: name, dice }
    }
    case 'super_resolution':
    case 'denoising':
      return null
  }
}

const worthOf = (finding: ClassFinding): number =>
  'of' in finding ? finding.found / finding.of : finding.dice

const isNever = ({ kind }: ClassFinding): boolean => kind === 'never' || kind === 'neverOutlined'

/** All classes that were never found; where there is none the worst of several classes, if it is worse than perfect. */
export function classFindings(task: Task, perClass: PerClass): ClassFinding[] {
  const all = perClass.flatMap((one) => findingOf(task, one) ?? [])
  const never = all.filter(isNever)
  if (never.length > 0) return never
  const [worst] = [...all].sort((one, other) => worthOf(one) - worthOf(other))
  return worst && all.length > 1 && worthOf(worst) < 1 ? [worst] : []
}

/** What a table marks: a class that was never found, or missed more often than found. */
export function classMark(task: Task, one: PerClass[number]): ClassFinding['kind'] | null {
  const finding = findingOf(task, one)
  if (finding === null) return null
  return isNever(finding) || worthOf(finding) < HALF ? finding.kind : null
}

export const neverFound = (task: Task, perClass: PerClass): string[] =>
  classFindings(task, perClass).flatMap((finding) => (isNever(finding) ? [finding.class] : []))
