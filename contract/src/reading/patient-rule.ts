/** How the patient of an item is told, where nothing or several things could tell it. Pure; opens no file. */
import * as z from 'zod'
import { markedPattern, markedReader } from './name-parts.ts'

export const patientRuleSchema = z.discriminatedUnion('by', [
  /** Nothing tells: every item stands alone. */
  z.object({ by: z.literal('none') }),
  /** A column of a table in the folder. */
  z.object({ by: z.literal('table'), column: z.string().min(1).max(200) }),
  /** What the files themselves say (DICOM: PatientID, else StudyInstanceUID). */
  z.object({ by: z.literal('file') }),
  /** A part of the path below the folder: in `example` the characters `from` to before `to`. */
  z
    .object({
      by: z.literal('name'),
      example: z.string().min(1).max(1000),
      from: z.int().min(0),
      to: z.int().min(1),
    })
    .refine(({ example, from, to }) => from < to && to <= example.length),
])
export type PatientRule = z.infer<typeof patientRuleSchema>

/** Reads the patient out of a path, for rules that look at nothing else; null = the item stands alone. */
export function patientReader(rule: PatientRule): (path: string) => string | null {
  return rule.by === 'name' ? markedReader(rule) : () => null
}

/** What pages and reports call a rule by: the written pattern of names, the column of a table; '' for others. */
export function patternOf(rule: PatientRule): string {
  if (rule.by === 'table') return rule.column
  return rule.by === 'name' ? markedPattern(rule) : ''
}

/** What a rule tells of the items of a data set. */
export const patientCountsSchema = z.object({
  /** Items that have a patient, those patients, and items that stand alone. */
  items: z.int(),
  patients: z.int(),
  single: z.int(),
  /** How the names are written that tell it: `person…`; or the name of the column. */
  pattern: z.string(),
  samples: z.array(z.object({ name: z.string(), patient: z.string().nullable() })),
})
export type PatientCounts = z.infer<typeof patientCountsSchema>

/** The same with the address of a small picture of each sample, null where the item is gone meanwhile. */
export const shownPatientsSchema = patientCountsSchema.extend({
  samples: z.array(patientCountsSchema.shape.samples.element.extend({ image: z.string().nullable() })),
})

/** How the patients of a data set were told apart. */
export const patientOriginSchema = patientCountsSchema.extend({
  rule: patientRuleSchema,
  /** The member's own decision, not what was found. */
  isChosen: z.boolean(),
  /** Persons whose left and right pictures were joined, because names say left and right. */
  pairs: z.int(),
  /** So few patients are all that there is that they could not be split; they are left out of account. */
  tooFew: z.int(),
  /** Items given for the test whose patients are also given for learning or checking; how many are left aside. */
  crossing: z.int(),
  aside: z.int(),
  /** Others that fit, with what they would tell. */
  options: z.array(patientCountsSchema.extend({ rule: patientRuleSchema })),
})
export type PatientOrigin = z.infer<typeof patientOriginSchema>

/** Patients, names of each, and names that stand alone. */
const SAMPLES = 3

/** Counts what was told of each name, and picks names that show it: some of a few patients, and some that stand alone. */
export function countPatients(
  told: readonly { name: string; patient: string | null }[],
  pattern: string,
): PatientCounts {
  const groups = new Map<string, { name: string; patient: string | null }[]>()
  for (const one of told) {
    if (one.patient === null) continue
    const group = groups.get(one.patient)
    if (group) group.push(one)
    else groups.set(one.patient, [one])
  }
  const single = told.filter(({ patient }) => patient === null)
  const largest = [...groups.values()].sort((one, other) => other.length - one.length)
  const some = largest.slice(0, SAMPLES).flatMap((group) => group.slice(0, SAMPLES))
  const shown = [...some, ...single.slice(0, SAMPLES)]
  return {
    items: told.length - single.length,
    patients: groups.size,
    single: single.length,
    pattern,
    samples: shown.map(({ name, patient }) => ({ name, patient })),
  }
}
