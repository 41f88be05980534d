/** Lets images flow through networks, one look after the other. Knows no members. */
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import { networkCalls } from '@neuroloom/contract/networks'
import type { FastifyBaseLogger } from 'fastify'
import type * as z from 'zod'
import { type Asked, createAsked } from './asked.ts'

const { response: seenSchema } = networkCalls['networks/look']
export type Looks = Asked<z.infer<typeof seenSchema>>

type Options = {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
  /** From the question to the answer; tests make it short. */
  answerMs?: number
}

/** Each folder holds `look.json` and all that it names. */
export const createLooks = ({ answerMs = limits.lookMs, ...options }: Options): Looks =>
  createAsked({
    ...options,
    command: 'look',
    answerFile: 'seen.json',
    schema: seenSchema,
    answerMs,
    waiting: limits.lookWaiting,
    idleMs: limits.lookIdleMs,
  })
