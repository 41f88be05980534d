/** Tries recipes on a few images, one trial after the other. Knows no members. */
import { recipes as limits } from '@neuroloom/contract/limits'
import { prepareReasonSchema } from '@neuroloom/contract/recipes/recipe'
import { recipeCalls } from '@neuroloom/contract/recipes/recipes'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import { type Asked, createAsked } from './asked.ts'

const { samples } = recipeCalls['recipes/try'].response.shape
const triedSchema = z.object({
  /** Of each kind of image that was asked about, in order: why it would not be prepared. */
  heads: z.array(prepareReasonSchema.nullable()),
  samples: z.array(
    samples.element.omit({ name: true, isMask: true }).extend({ colours: z.array(z.string()) }),
  ),
})
export type Trials = Asked<z.infer<typeof triedSchema>>

/** Each folder holds `try.json` and the images. */
export const createTrials = (options: {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
}): Trials =>
  createAsked({
    ...options,
    command: 'try',
    answerFile: 'tried.json',
    schema: triedSchema,
    answerMs: limits.tryMs,
    waiting: limits.tryWaiting,
    idleMs: limits.tryIdleMs,
  })
