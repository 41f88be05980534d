/** What wants the member's word before a training: it can be done, and tells little. */
import type { Suggestion } from '../runs.ts'

type Caution = Suggestion['cautions'][number]

const asking: ReadonlySet<Caution['name']> = new Set([
  'one_class_train',
  'one_patient_train',
  'few_per_class',
])

/** The gravest, null where nothing asks. */
export const askedFor = (cautions: readonly Caution[]): Caution | null =>
  [...asking].flatMap((name) => cautions.filter((one) => one.name === name))[0] ?? null
