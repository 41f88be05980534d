/** Steps of a recipe that are of masks alone; the engine leaves images as they are. Data only. */
import * as z from 'zod'
import { masks as limits } from '../limits.ts'

/** What a mask may hold as a number. */
export const maskNumberSchema = z.int().min(0).max(limits.number)

/** The class that is worked on; 0 = all of them. */
const value = maskNumberSchema

export const maskSteps = [
  /** By a Euclidean distance: millimetres where the volume says its spacing, else pixels. */
  z.object({
    do: z.literal('grow'),
    how: z.enum(['grow', 'shrink']),
    radius: z.number().positive().max(limits.radius),
    value,
  }),
  /** Background that a class closes in all around. */
  z.object({ do: z.literal('fill'), value }),
  /** The largest, or those of at least a size: mm³ where the volume says its spacing, else pixels. */
  z.object({
    do: z.literal('pieces'),
    how: z.enum(['largest', 'least']),
    least: z.number().min(0).max(limits.pieceSize),
    value,
  }),
  z.object({
    do: z.literal('remap'),
    map: z
      .array(z.object({ from: maskNumberSchema, to: maskNumberSchema }))
      .min(1)
      .max(limits.values),
    rest: z.enum(['stay', 'background']),
  }),
] as const
export const maskStepSchema = z.discriminatedUnion('do', maskSteps)
export type MaskStep = z.infer<typeof maskStepSchema>
