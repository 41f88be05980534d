/** What trainings make of images at random, shown on some of them. Data only. */
import * as z from 'zod'
import { toolbox } from '../limits.ts'
import { route } from '../route.ts'
import { hyperRanges } from '../suggest/hyper-ranges.ts'
import { taskSchema } from '../task-schema.ts'
import { changeNames } from './changes.ts'

const id = z.string().min(1).max(40)
const side = z.int().min(hyperRanges.imageSize.min).max(toolbox.variedSide)

const variedSampleSchema = z.object({
  name: z.string(),
  /** Data addresses, what is marked drawn into them: the same place without any change and with those asked for. Null: it cannot be read. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Classes that are to be seen, of a whole image those that it has: places in `classes`. */
  marks: z.array(z.int()),
})
export type VariedSample = z.infer<typeof variedSampleSchema>

export const variationCalls = {
  'toolbox/vary': route({
    summary: 'What the random changes of a training make of some images of a data set, drawn by the engine',
    request: z.object({
      datasetId: id,
      /** By which the changes are drawn; the same seed draws the same. */
      seed: z.int().min(0).max(toolbox.seed),
      /** Null = all that a training makes. */
      only: z.enum(changeNames).nullable().default(null),
      /** Other images with each turn. */
      turn: z.int().min(0).max(toolbox.seed).default(0),
      /** Height and width as in a training's settings, and slices of volumes; null = as it would be chosen. */
      imageSize: z.tuple([side, side]).nullable().default(null),
      depth: z.int().min(hyperRanges.depth.min).max(toolbox.variedDepth).nullable().default(null),
    }),
    response: z.object({
      task: taskSchema,
      classes: z.array(z.string()),
      imageSize: z.tuple([z.int(), z.int()]),
      depth: z.int(),
      /** Whether a training of so many images varies them of itself. */
      isUsual: z.boolean(),
      samples: z.array(variedSampleSchema),
    }),
    errors: [
      'dataset_missing',
      'dataset_not_ready',
      'recipe_nothing',
      'too_much_at_once',
      'busy',
      'work_too_large',
    ],
  }),
}
