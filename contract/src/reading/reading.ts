/** What a member decided about a data set where its folder can be read in several ways. */
import * as z from 'zod'
import { datasets } from '../limits.ts'
import { boundedRecord } from '../schema/bounded-record.ts'
import { labelColumnSchema } from './label-source.ts'
import { patientRuleSchema } from './patient-rule.ts'

/** Null and empty = as found. */
export const readingSchema = z.object({
  patients: patientRuleSchema.nullable().default(null),
  /** Of several readers' labels: the key of the one that counts, `majority`, or `all` for what any of them marks. */
  labels: z.string().min(1).max(200).nullable().default(null),
  /** Of several pictures of each case (channels, sequences): the key of those to learn from. */
  images: z.string().max(200).nullable().default(null),
  /** The column of a table that says what images show. */
  labelColumn: labelColumnSchema.nullable().default(null),
  /** Names for classes, by what they are called in the folder. */
  classNames: boundedRecord(z.string().max(200), z.string().trim().min(1).max(100), datasets.classes).default(
    {},
  ),
  /** Columns of tables that reports sum up by part, besides age and sex. */
  people: z.array(z.string().min(1).max(100)).max(datasets.personColumns).default([]),
  /** Of DICOM: the values that become black and white lie half a width around the centre. */
  window: z.object({ center: z.number(), width: z.number().positive() }).nullable().default(null),
})
export type Reading = z.infer<typeof readingSchema>

export const asFound: Reading = {
  ...{ patients: null, labels: null, images: null, classNames: {}, window: null },
  labelColumn: null,
  people: [],
}
