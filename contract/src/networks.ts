/** Networks that come with the product: which exist for a task and what they cost on given data. */
import * as z from 'zod'
import { route } from './route.ts'
import { taskSchema } from './task.ts'

/** In the order offered; the first of a task is the default for small images. Texts: locale file networks.json. */
export const builtInNetworks = {
  classification: ['small_resnet', 'resnet18', 'mobilenetv2'],
  segmentation: ['unet_small', 'unet', 'attention_unet'],
} as const

export const networkSchema = z.object({
  id: z.string(),
  task: taskSchema,
  /** At the network's own design size, two classes of output more or less aside. */
  parameters: z.int(),
  macs: z.number(),
  source: z.string(),
})

export const networkCalls = {
  'networks/list': route({
    summary: 'Networks for a task',
    request: z.object({ task: taskSchema }),
    response: z.object({ networks: z.array(networkSchema) }),
    errors: [],
  }),
  'networks/detail': route({
    summary: 'The document of one network',
    request: z.object({ id: z.string().max(60) }),
    response: networkSchema.extend({ yaml: z.string() }),
    errors: ['missing'],
  }),
}
