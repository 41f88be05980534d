/** Has images looked at with their masks, a few pairs at a time. Knows no members. */
import { recipes as limits } from '@neuroloom/contract/limits'
import { doctorCalls, examinedSchema } from '@neuroloom/contract/recipes/doctor'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import { type Asked, createAsked } from './asked.ts'

const { imageLook, imageReason, maskLook, maskReason } = examinedSchema.shape
const toldSchema = z.object({
  pairs: z.array(
    z.object({
      ...{ image: imageLook, imageReason, mask: maskLook, maskReason },
      shown: doctorCalls['recipes/tryRepair'].response,
    }),
  ),
})
export type Exams = Asked<z.infer<typeof toldSchema>>

/** Each folder holds `examine.json` and the files that it names. */
export const createExams = (options: {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
}): Exams =>
  createAsked({
    ...options,
    command: 'examine',
    answerFile: 'examined.json',
    schema: toldSchema,
    answerMs: limits.tryMs,
    waiting: limits.tryWaiting,
    idleMs: limits.tryIdleMs,
  })
