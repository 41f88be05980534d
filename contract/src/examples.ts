/** A trained network with programs that use it, to run outside of the product. */
import * as z from 'zod'
import { route } from './route.ts'
import type { Task } from './task.ts'

/** Whole volumes take more memory and time than browsers give; their example is in Python alone. */
export const isTriedInBrowser = (task: Task): boolean => task !== 'volume_segmentation'

export const exampleCalls = {
  'runs/example': route({
    summary:
      'A short-lived link to a folder (ZIP) with the ONNX network and examples in Python and for the browser',
    request: z.object({ id: z.string().min(1).max(40) }),
    /** The ZIP is made while it is sent: `sizeBytes` is what lies in it. */
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int() }),
    errors: ['run_missing', 'missing'],
  }),
  'runs/program': route({
    summary: 'A PyTorch program that, with the weights of this training, leads from a file to the answer',
    request: z.object({ id: z.string().min(1).max(40) }),
    response: z.object({ name: z.string(), text: z.string() }),
    errors: ['run_missing', 'missing'],
  }),
}
