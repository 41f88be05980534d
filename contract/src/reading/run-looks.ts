/** One image of a test or a prediction in the viewer: itself, what is true of it and what the network says. Data only. */
import * as z from 'zod'
import { route } from '../route.ts'
import { viewSchema } from '../viewing.ts'
import { overlaySchema } from './overlays.ts'

/** What lies over the image; a test alone knows the truth. */
export const lookedOver = ['truth', 'prediction'] as const
const lookedOverSchema = z.enum(lookedOver)
export type LookedOver = z.infer<typeof lookedOverSchema>

const one = { id: z.string().min(1).max(40), itemId: z.string().min(1).max(80) }

export const runLookCalls = {
  'runs/look': route({
    summary: 'An image of a test or a prediction, made ready to be looked at',
    request: z.object(one),
    /** No live event follows while it is prepared: ask again after a while. */
    response: z.object({
      view: viewSchema,
      over: z.array(lookedOverSchema),
      /** Else boxes: of masks alone it can be said where they differ. */
      areMasks: z.boolean(),
    }),
    errors: ['run_missing', 'missing', 'busy'],
  }),
  'runs/lookOver': route({
    summary: 'The truth or the prediction on the grid of the image',
    request: z.object({ ...one, over: lookedOverSchema }),
    /** `nothing`: labels, counted from 1 on, that stand for the background or do not count. */
    response: z.object({ overlay: overlaySchema, nothing: z.array(z.int()) }),
    errors: ['run_missing', 'missing', 'busy'],
  }),
}
