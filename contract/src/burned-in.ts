/** Texts that are burned into pictures: looked for, confirmed by a person, blacked out on copies. Data only. */
import * as z from 'zod'
import { burnedIn } from './limits.ts'
import { route } from './route.ts'
import { viewReasonSchema } from './viewing.ts'

const id = z.string().min(1).max(40)
const pixel = z.number().min(0).max(1_000_000)

export const textStateSchema = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
export type TextState = z.infer<typeof textStateSchema>

/** A place in pixels of the picture, in the frames `first` to `last`, counted from 0 in the file's order. */
const placeSchema = z.object({
  x: pixel,
  y: pixel,
  w: pixel,
  h: pixel,
  first: z.int().min(0).max(burnedIn.frames),
  last: z.int().min(0).max(burnedIn.frames),
})

/** `text` is a patient's data: kept as long as the scan, and seen by nobody but its owner. */
export const textRegionSchema = placeSchema.extend({
  text: z
    .string()
    .max(burnedIn.textLength)
    // The database takes neither.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sign of zero is what the rule refuses
    .regex(/^[^\u0000\p{Surrogate}]*$/u),
  /** How sure it is text, from 0 to 100; 100 where a person drew it. */
  sureness: z.int().min(0).max(100),
  /** Added by hand. */
  isDrawn: z.boolean(),
})
export type TextRegion = z.infer<typeof textRegionSchema>

export const textPictureSchema = z.object({
  position: z.int(),
  /** Null when it was deleted since. */
  sourceId: z.string().nullable(),
  sourceName: z.string(),
  state: textStateSchema,
  reason: viewReasonSchema.nullable(),
  /** Null until it was looked at. */
  size: z.object({ width: z.int(), height: z.int(), frames: z.int() }).nullable(),
  regions: z.array(textRegionSchema),
  isConfirmed: z.boolean(),
  /** Short-lived addresses of a frame, to which `&frame=<number>` is added; null until it was looked at. */
  shown: z.string().nullable(),
  /** The copy, and what reading it again found. */
  copy: z
    .object({
      /** Null when it was deleted since. */
      id: z.string().nullable(),
      name: z.string(),
      sha256: z.string(),
      sourceSha256: z.string(),
      /** Places in which something like text is still there. */
      left: z.int(),
      /** Whether the header of the DICOM file still names its patient. */
      namesPatient: z.boolean(),
    })
    .nullable(),
})
export type TextPicture = z.infer<typeof textPictureSchema>

export const textScanSchema = z.object({
  id: z.string(),
  /** What is waited for, under way or ended: looking for texts, or writing copies. */
  step: z.enum(['seek', 'copy']),
  state: textStateSchema,
  /** Pictures that are through, of all; while waiting, of what was chosen. */
  through: z.int(),
  total: z.int(),
  confirmed: z.int(),
  failedPictures: z.int(),
  /** Of the whole, as error name of `errors.json`. */
  failure: z
    .enum(['storage_full', 'disk_full', 'plan_limit', 'missing', 'ocr_missing', 'internal'])
    .nullable(),
  /** What the first picture is called. */
  name: z.string(),
  /** The folder of the copies; null = none yet, or deleted since. */
  folderId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type TextScan = z.infer<typeof textScanSchema>

export const burnedInCalls = {
  'files/seekTexts': route({
    summary: 'Look for burned-in texts in pictures',
    request: z.object({
      /** Files; a folder stands for the files in it. */
      ids: z.array(id).min(1).max(burnedIn.sources),
    }),
    response: textScanSchema,
    errors: ['missing', 'too_many_files', 'texts_nothing', 'texts_waiting', 'ocr_missing'],
  }),
  'files/textScans': route({
    summary: 'Own searches for texts, newest first; and whether the server can read texts',
    request: z.object({ after: id.nullable().default(null) }),
    response: z.object({
      scans: z.array(textScanSchema),
      next: z.string().nullable(),
      /** Debian packages that are missing; empty = all is there. */
      missing: z.array(z.string()),
    }),
    errors: [],
  }),
  'files/textPictures': route({
    summary: 'Pictures of one search, those with the least sure places first',
    request: z.object({ id, page: z.int().min(0).max(1000).default(0) }),
    response: z.object({ scan: textScanSchema, pictures: z.array(textPictureSchema), pages: z.int() }),
    errors: ['missing'],
  }),
  'files/confirmTexts': route({
    summary: 'Say which places of a picture are to be blacked out, or that it is not confirmed yet',
    request: z.object({
      id,
      position: z.int().min(0).max(burnedIn.pictures),
      regions: z.array(textRegionSchema).max(burnedIn.regions),
      isConfirmed: z.boolean(),
    }),
    response: textScanSchema,
    errors: ['missing', 'texts_state'],
  }),
  'files/confirmAllTexts': route({
    summary: 'Confirm all pictures that are not confirmed yet, as they were found',
    request: z.object({ id }),
    response: textScanSchema,
    errors: ['missing', 'texts_state'],
  }),
  'files/blackTexts': route({
    summary: 'Write copies of the confirmed pictures with black in these places, into a new folder',
    request: z.object({ id }),
    response: textScanSchema,
    errors: ['missing', 'texts_state', 'texts_unconfirmed'],
  }),
  'files/retryTexts': route({
    summary: 'Try again what failed or was given up',
    request: z.object({ id }),
    response: textScanSchema,
    errors: ['missing', 'texts_state'],
  }),
  'files/cancelTexts': route({
    summary: 'Give up what waits or is under way; copies made so far stay',
    request: z.object({ id }),
    response: textScanSchema,
    errors: ['missing', 'texts_state'],
  }),
  'files/forgetTexts': route({
    summary: 'Erase a search with all that was read; copies stay',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['missing', 'texts_state'],
  }),
}

/** Live event `textScan` on the topic `user`. */
export const textScanEventSchema = z.object({
  id: z.string(),
  step: z.enum(['seek', 'copy']),
  state: textStateSchema,
  through: z.int(),
  total: z.int(),
})
