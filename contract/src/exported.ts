/** The facts that lie in an exported network (ONNX metadata `neuroloom`, `model.json`), as whoever runs it needs them. */
import * as z from 'zod'
import { taskSchema } from './task-schema.ts'

const output = z.object({
  name: z.string(),
  /** Restoration: how many times larger the answer is than the picture. */
  factor: z.int().min(1).max(8).optional(),
  /** Detection, scores: less sure boxes are no answer; of boxes of a class that overlap by more the surest counts. */
  least: z.number().optional(),
  nms: z.number().optional(),
})

export const exportedFactsSchema = z.object({
  task: taskSchema,
  classes: z.array(z.string()),
  channels: z.union([z.literal(1), z.literal(3)]),
  /** Height and width that pictures are brought to; segmentation and restoration take them as they are. */
  imageSize: z.array(z.int().positive()),
  /** Mask pixel value (as text) to class index; older files have none. */
  maskValues: z.record(z.string(), z.int()).default({}),
  /** What the best epoch reached on the held-back pictures. */
  validation: z.record(z.string(), z.number().nullable()).default({}),
  /**
   * From which probability on each class is named, chosen on the held-back pictures, and how many of them had the class;
   * null where nothing is chosen. Of classes that exclude each other it counts where there are two.
   */
  decision: z
    .object({ thresholds: z.array(z.number()), cases: z.array(z.int()).nullable() })
    .nullable()
    .default(null),
  /** By which the training's files were prepared; the browser prepares nothing. */
  recipe: z
    .object({ steps: z.array(z.unknown()) })
    .nullable()
    .default(null),
  input: z.object({
    /** `batch`, channels, then the sides. */
    shape: z.array(z.union([z.string(), z.int()])),
    sizeFree: z.boolean(),
    sizeMultiple: z.array(z.int().min(1)),
  }),
  outputs: z.array(output),
  /** There where each picture is normalised by itself: mean and deviation may be given with a part of it. */
  moments: z.object({ name: z.string() }).optional(),
})
export type ExportedFacts = z.infer<typeof exportedFactsSchema>
