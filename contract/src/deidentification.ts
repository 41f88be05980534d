/** What was done to a DICOM file in the browser before it was sent: the record of one file, and how it is kept. */
import * as z from 'zod'
import { deidentification } from './limits.ts'
import { route } from './route.ts'

const id = z.string().min(1).max(40)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0).max(100_000_000)
/** The new one; old ones are in no record. */
const uid = z.string().regex(/^[0-9.]{1,64}$/)
/** Names of attributes come from the standard's table, in plain letters. */
const attributeName = z.string().regex(/^[\x20-\x7e]{1,80}$/)

/** `newUid`: another identifier; `cleared`: a text that named somebody where the profile would have kept it. */
export const attributeActions = ['removed', 'emptied', 'replaced', 'newUid', 'cleared'] as const

export const burnedInTextSchema = z.enum(['no', 'unlikely', 'possible', 'yes'])

/** Never holds a value that stood in the file. */
export const deidentificationRecordSchema = z.object({
  /** Edition of the table that was followed (Basic Application Level Confidentiality Profile). */
  profile: z.string().regex(/^[\w. -]{1,40}$/),
  /** Of the whole file as it is sent: the record belongs to these bytes, whatever the file is called. */
  sha256,
  sizeBytes: z.int().min(0),
  counts: z.object({
    removed: count,
    emptied: count,
    replaced: count,
    newUids: count,
    privateRemoved: count,
    cleared: count,
  }),
  attributes: z
    .array(
      z.object({
        tag: z.string().regex(/^[0-9A-F]{8}$/),
        name: attributeName,
        action: z.enum(attributeActions),
        count: count.min(1),
      }),
    )
    .max(deidentification.attributes),
  identifiers: z.object({
    study: uid.nullable(),
    series: uid.nullable(),
    instance: uid.nullable(),
    patient: z
      .string()
      .regex(/^[A-Z0-9-]{1,64}$/)
      .nullable(),
  }),
  /** Checksums of the pixel data as stored; equal = not a byte of it changed. Null = no pixels. */
  pixels: z.object({ before: sha256, after: sha256 }).nullable(),
  /** Whether names or dates may stand in the picture itself, which nobody but people can see. */
  burnedInText: burnedInTextSchema,
})
export type DeidentificationRecord = z.infer<typeof deidentificationRecordSchema>

export const keptRecordSchema = deidentificationRecordSchema.extend({ recordedAt: z.iso.datetime() })
export type KeptRecord = z.infer<typeof keptRecordSchema>

export const deidentificationCalls = {
  'files/deidentification': route({
    summary: 'What was done to the bytes of one own file before they were sent; null = nothing is known',
    request: z.object({ id }),
    response: z.object({ record: keptRecordSchema.nullable() }),
    errors: ['missing'],
  }),
  'files/deidentificationKey': route({
    summary: 'The secret from which the browser makes new identifiers, the same for all uploads of a member',
    request: z.object({}),
    response: z.object({ key: sha256 }),
    errors: [],
  }),
  'files/recordDeidentification': route({
    summary:
      'Keep records of files that are about to be sent; a record without a file is forgotten after some days',
    request: z.object({
      records: z.array(deidentificationRecordSchema).min(1).max(deidentification.recordsPerCall),
    }),
    response: z.object({ recorded: z.int() }),
    errors: ['too_many_files'],
  }),
}
