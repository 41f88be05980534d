/** Drawn images to try the product with, before one has a folder of one's own at hand. */
import * as z from 'zod'
import { route } from '../route.ts'

/** `fields`: cells with their masks, for a segmentation; `kinds`: cells of three shapes, for a classification. */
export const sampleKinds = ['fields', 'kinds'] as const
export type SampleKind = (typeof sampleKinds)[number]

export const sampleCalls = {
  'samples/create': route({
    summary: 'An own project with sample images in the cloud; the one that is there already, if there is one',
    request: z.object({ kind: z.enum(sampleKinds) }),
    response: z.object({ projectId: z.string() }),
    errors: ['plan_limit', 'storage_full', 'too_many_uploads'],
  }),
}
