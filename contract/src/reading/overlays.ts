/** Masks, label maps and files of labels that lie in the cloud beside an image: which there are, and what one shows over it. Data only. */
import * as z from 'zod'
import { wholeSchema } from '../labelling/steps.ts'
import { route } from '../route.ts'
import { viewNoteSchema, viewReasonSchema } from '../viewing.ts'

const id = z.string().min(1).max(40)
const pass = z.string().max(800)

export const overlayLabelSchema = z.object({
  /** The value as it is stored; of pictures in colours `#rrggbb`. */
  key: z.string(),
  /** `#rrggbb`, where the file gives colours other than greys. */
  colour: z.string().nullable(),
  /** From the file itself, or from a table beside it. */
  name: z.string().nullable(),
  /** Voxels of the image that have it; of `marks`, how many of them. */
  count: z.int(),
})
export type OverlayLabel = z.infer<typeof overlayLabelSchema>

export const overlaySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `preparing`: a live event `view` of the image follows; then ask again. */
  state: z.enum(['ready', 'preparing']),
  /** Why it cannot be shown over this image. */
  reason: viewReasonSchema.nullable(),
  /**
   * Short-lived address of the labels, packed with gzip: a byte a voxel in the order of the image's own file (columns, rows,
   * slices, and points in time where the mask has as many). Byte n stands for `labels[n - 1]`, 0 for nothing.
   */
  url: z.string().nullable(),
  /** Instead of `url`: boxes, outlines, lines, points and pixels, each of the class that is the key of a label; `tags` are names. */
  marks: wholeSchema
    .extend({ size: z.tuple([z.int(), z.int(), z.int()]), tags: z.array(z.string()) })
    .nullable(),
  labels: z.array(overlayLabelSchema),
  notes: z.array(viewNoteSchema),
})
export type Overlay = z.infer<typeof overlaySchema>

/** A mask, a file in which labels stand, or what somebody has marked in a labelling set. */
export const overlayKinds = ['mask', 'labels', 'set'] as const

const candidateSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(overlayKinds),
  /** '' = in the image's own folder. */
  folder: z.string(),
  /** Of a labelling set: who marked it; '' = whoever asks. Null = it is agreed, or no set. */
  reader: z.string().nullable(),
  /** Called like the image, and like a mask; or like a list of labels. */
  isLikely: z.boolean(),
})
export type OverlayCandidate = z.infer<typeof candidateSchema>

const overlaysSchema = z.object({
  /** Likely ones first. */
  candidates: z.array(candidateSchema),
})

const wanted = {
  id,
  /** The image is a DICOM slice's whole series. */
  series: z.boolean().default(false),
  maskId: id,
}

export const overlayCalls = {
  'files/overlays': route({
    summary:
      'What may be laid over an image: files near it called like its mask or its labels, images of its folder, labelling sets',
    request: z.object({ id }),
    response: overlaysSchema,
    errors: ['missing'],
  }),
  'files/overlay': route({
    summary: 'A mask, a file of labels or the marks of a labelling set on the grid of an image',
    request: z.object(wanted),
    response: overlaySchema,
    errors: ['missing', 'busy', 'work_too_large', 'too_much_at_once'],
  }),
  'files/overlaysLinked': route({
    summary: 'The same for a file behind a share link, without signing in',
    request: z.object({ pass, id }),
    response: overlaysSchema,
    errors: ['missing', 'link_gone'],
  }),
  'files/overlayLinked': route({
    summary: 'A mask over an image, both behind a share link, without signing in',
    request: z.object({ pass, ...wanted }),
    /** No live event follows while it is prepared: ask again after a while. */
    response: overlaySchema,
    errors: ['missing', 'link_gone', 'busy', 'work_too_large', 'too_much_at_once'],
  }),
}
