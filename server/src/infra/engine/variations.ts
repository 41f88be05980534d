/** Shows random changes of training on a few images, one look after the other. Knows no members. */
import { recipes as limits } from '@neuroloom/contract/limits'
import { variationCalls } from '@neuroloom/contract/toolbox/variation'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import { type Asked, createAsked } from './asked.ts'

const { samples } = variationCalls['toolbox/vary'].response.shape
const variedSchema = z.object({
  /** In the order of the manifest. */
  samples: z.array(samples.element.omit({ name: true })),
})
export type Variations = Asked<z.infer<typeof variedSchema>>

/** Each folder holds `vary.json` beside a training's `run.json`, manifest and data. */
export const createVariations = (options: {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
}): Variations =>
  createAsked({
    ...options,
    command: 'vary',
    answerFile: 'varied.json',
    schema: variedSchema,
    answerMs: limits.tryMs,
    waiting: limits.tryWaiting,
    idleMs: limits.tryIdleMs,
  })
