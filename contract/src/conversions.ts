/** Turning images into other formats: jobs, their states, and what was kept or changed. Data only. */
import * as z from 'zod'
import { conversions } from './limits.ts'
import { route } from './route.ts'
import { viewNoteSchema, viewReasonSchema } from './viewing.ts'

export const conversionFormatSchema = z.enum(['nifti', 'nrrd', 'mha', 'tiff', 'png', 'jpeg', 'dicom'])
export type ConversionFormat = z.infer<typeof conversionFormatSchema>

export const conversionStateSchema = z.enum(['waiting', 'converting', 'done', 'failed', 'cancelled'])
export type ConversionState = z.infer<typeof conversionStateSchema>

export const conversionOptionsSchema = z.object({
  /** Of DICOM: files of one series become one volume; else one result a file. */
  joinSeries: z.boolean().default(true),
  /** For PNG and JPEG: values of this window become 0–255; null = the file's own window, else all values. */
  window: z.object({ center: z.number(), width: z.number().positive() }).nullable().default(null),
  /** Of PNG: `eight` as shown, `sixteen` keeps up to 65,536 grey values. */
  depth: z.enum(['eight', 'sixteen']).default('eight'),
  /** Of JPEG. */
  quality: z.int().min(50).max(100).default(92),
})
export type ConversionOptions = z.infer<typeof conversionOptionsSchema>

/**
 * What was compared after writing and reading again: locale keys `viewing:checks.<what>.<state>`, with params `before`
 * and `after` (texts ready to show); `unknown`: the source or the format says nothing about it.
 */
export const conversionCheckSchema = z.object({
  what: z.enum(['size', 'spacing', 'orientation', 'position', 'type', 'values']),
  state: z.enum(['kept', 'changed', 'unknown']),
  before: z.string(),
  after: z.string(),
  /** Of changed values: why (locale keys `viewing:why.<name>`, with params), such as the window that was used. */
  why: z
    .object({ name: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
    .nullable(),
})
export type ConversionCheck = z.infer<typeof conversionCheckSchema>

const id = z.string().min(1).max(40)

/** One source (a file, or the files of a series) and what became of it. */
export const conversionItemSchema = z.object({
  /** The file, or a series' first one; null when it was deleted since. */
  sourceId: z.string().nullable(),
  sourceName: z.string(),
  sourceFiles: z.int(),
  state: conversionStateSchema,
  reason: viewReasonSchema.nullable(),
  /** The file made, or the folder of several; null when none was made or it was deleted since. */
  resultId: z.string().nullable(),
  resultName: z.string(),
  resultKind: z.enum(['file', 'folder']),
  resultFiles: z.int(),
  checks: z.array(conversionCheckSchema),
  /** What the reader found to be said of the source, as in the viewer. */
  notes: z.array(viewNoteSchema),
})
export type ConversionItem = z.infer<typeof conversionItemSchema>

export const conversionSchema = z.object({
  id: z.string(),
  format: conversionFormatSchema,
  options: conversionOptionsSchema,
  /** `failed` when at least one source failed; the others' results are there all the same. */
  state: conversionStateSchema,
  /** Sources that are through, of all; while waiting, of the files and folders that were chosen. */
  through: z.int(),
  total: z.int(),
  /** Of a failure of the whole: no space left and the like, as error name of `errors.json`; else null. */
  failure: z.enum(['storage_full', 'disk_full', 'plan_limit', 'missing', 'internal']).nullable(),
  items: z.array(conversionItemSchema),
  /** Where the results lie; null = the top, or gone. */
  folderId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type Conversion = z.infer<typeof conversionSchema>

export const conversionCalls = {
  'files/convert': route({
    summary: 'Convert images; results lie beside the first source, those of a folder in one of their own',
    request: z.object({
      /** Files; a folder stands for the files in it. */
      ids: z.array(id).min(1).max(conversions.sources),
      format: conversionFormatSchema,
      options: conversionOptionsSchema.prefault({}),
    }),
    response: conversionSchema,
    errors: ['missing', 'too_many_files', 'conversion_nothing', 'conversion_waiting'],
  }),
  'files/conversions': route({
    summary: 'Own conversions, newest first',
    request: z.object({ after: id.nullable().default(null) }),
    response: z.object({ conversions: z.array(conversionSchema), next: z.string().nullable() }),
    errors: [],
  }),
  'files/retryConversion': route({
    summary: 'Try the failed sources of a conversion again',
    request: z.object({ id }),
    response: conversionSchema,
    errors: ['missing', 'conversion_state'],
  }),
  'files/cancelConversion': route({
    summary: 'Give up a conversion that waits or is under way; results made so far stay',
    request: z.object({ id }),
    response: conversionSchema,
    errors: ['missing', 'conversion_state'],
  }),
}

/** Live event `conversion` on the topic `user`. */
export const conversionEventSchema = z.object({
  id: z.string(),
  state: conversionStateSchema,
  through: z.int(),
  total: z.int(),
})
