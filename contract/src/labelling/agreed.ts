/** How far the readers of a label set agree, as it is told. Data only; the measures stand in `agreement.ts`. */
import * as z from 'zod'
import { route } from '../route.ts'

const id = z.string().min(1).max(40)

/** Of one class on one image, or their means over images. Null distances: one of both marked nothing, or there is no telling. */
const overlapSchema = z.object({
  class: z.string(),
  dice: z.number(),
  hausdorff95: z.number().nullable(),
  meanDistance: z.number().nullable(),
})
/** With the bounds of its interval of 95 %, null where a single image tells of none. */
const rangeSchema = z.object({ low: z.number(), high: z.number() }).nullable()
/** Upright boxes and outlines' bounds: those that meet one of the same class by at least half (IoU 0.5), each once. */
const boxesSchema = z.object({ one: z.int(), other: z.int(), matched: z.int() })

/** What was found on one image. Areas: what was painted, boxes and outlines, by class. */
export const foundAgreementSchema = z.object({
  classes: z.array(overlapSchema),
  boxes: boxesSchema,
  tags: z.object({ one: z.array(z.string()), other: z.array(z.string()) }),
  /** Of distances: whether they are millimetres or, where the image does not say, pixels. */
  unit: z.enum(['mm', 'pixels']),
})
export type FoundAgreement = z.infer<typeof foundAgreementSchema>

export const labelAgreementCalls = {
  'labelling/agreement': route({
    summary: 'How far each two readers of a set agree on what both have finished, and on which images least',
    request: z.object({ id }),
    response: z.object({
      /** `working`: some is not worked out yet; a live event follows. */
      state: z.enum(['ready', 'working']),
      pairs: z.array(
        z.object({
          /** Nicknames; '' for one's own. */
          one: z.string(),
          other: z.string(),
          images: z.int(),
          /** Cohen's, of labels of whole images, all of an image taken as one; null where there is no telling. */
          kappa: z.object({ value: z.number(), range: rangeSchema, images: z.int() }).nullable(),
          boxes: boxesSchema,
          /** With the number of images on which at least one of both marked it, and the range of Dice over these. */
          classes: z.array(overlapSchema.extend({ images: z.int(), range: rangeSchema })),
          unit: z.enum(['mm', 'pixels', 'mixed']),
        }),
      ),
      /** Image by image, those on which readers agree least first. */
      images: z.array(
        z.object({
          itemId: z.string(),
          name: z.string(),
          /** Mean over classes and pairs; null where none of them marked an area. */
          dice: z.number().nullable(),
          pairs: z.array(
            z.object({
              one: z.string(),
              other: z.string(),
              classes: z.array(overlapSchema),
              boxes: boxesSchema,
              /** Null where neither labelled the image as a whole. */
              isSameTags: z.boolean().nullable(),
              unit: foundAgreementSchema.shape.unit,
            }),
          ),
        }),
      ),
    }),
    errors: ['label_set_missing', 'not_allowed'],
  }),
}

/** Live event `labelAgreement` on the topic `user`: what was still worked out is there. */
export const labelAgreementEventSchema = z.object({ setId: z.string() })
