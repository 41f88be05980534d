/** Has masks joined for a look and measured, a few at a time. Knows no members. */
import { recipes as limits } from '@neuroloom/contract/limits'
import { maskSampleSchema, measuredSchema } from '@neuroloom/contract/recipes/algebra'
import { prepareReasonSchema, readerSchema } from '@neuroloom/contract/recipes/recipe'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import { type Asked, createAsked } from './asked.ts'

const toldSchema = z.object({
  samples: z.array(maskSampleSchema.extend({ readers: z.array(readerSchema) })),
  /** Whether groups would fail, by their headers; not known of pictures. */
  heads: z.array(z.object({ isKnown: z.boolean(), reason: prepareReasonSchema.nullable() })),
  /** Of the first ones that were asked about. */
  measured: z.array(measuredSchema),
})
export type MaskAnswers = Asked<z.infer<typeof toldSchema>>

/** Each folder holds `masks.json` and the masks. */
export const createMaskAnswers = (options: {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
}): MaskAnswers =>
  createAsked({
    ...options,
    command: 'masks',
    answerFile: 'answered.json',
    schema: toldSchema,
    answerMs: limits.tryMs,
    waiting: limits.tryWaiting,
    idleMs: limits.tryIdleMs,
  })
