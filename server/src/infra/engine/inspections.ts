/** Looks into files of weights, one look after the other. Knows no members. */
import { recipes as limits } from '@neuroloom/contract/limits'
import { inspectedSchema } from '@neuroloom/contract/toolbox/inspection'
import type { FastifyBaseLogger } from 'fastify'
import type * as z from 'zod'
import { type Asked, createAsked } from './asked.ts'

export type Inspections = Asked<z.infer<typeof inspectedSchema>>

/** Each folder holds `inspect.json` and the files that it names. */
export const createInspections = (options: {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
}): Inspections =>
  createAsked({
    ...options,
    command: 'inspect',
    answerFile: 'inspected.json',
    schema: inspectedSchema,
    answerMs: limits.tryMs,
    waiting: limits.tryWaiting,
    idleMs: limits.tryIdleMs,
  })
