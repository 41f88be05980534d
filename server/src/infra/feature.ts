/** What a feature is to every process. `features.ts` lists them all: nothing of a feature is known by another way. */
import type { Path } from '@neuroloom/contract/calls'
import type { Topic } from '@neuroloom/contract/live'
import type { FastifyInstance } from 'fastify'
import type { Gate } from '../http/gate.ts'
import type { Rows } from '../http/row.ts'
import type { TellAdministrators } from './alarm.ts'
import type { ExportOf } from './archive.ts'
import type { Command } from './command.ts'
import type { Context, WorkerContext } from './context.ts'
import type { Authorize } from './live/watching.ts'
import type { BytesUse } from './storage/blobs.ts'

export type Feature = {
  name: string
  /** The calls it answers. */
  rows?: Partial<Rows<Path>>
  /** Routes whose answers are bytes or pages. */
  raw?: (app: FastifyInstance, ctx: Context) => void | Promise<void>
  /** Who may come in: one feature alone says so. */
  gate?: Gate
  /** What an operator asks of it at the console. */
  commands?: Readonly<Record<string, Command>>
  /** The worker's part: queues, sweeps, and what a worker that was killed left behind. */
  jobs?: (ctx: WorkerContext) => Promise<void>
  /** What goes on in the worker until it is told to stop. */
  runner?: (ctx: WorkerContext) => { stop(): Promise<void> }
  tells?: Tells
}

/**
 * What is asked of all features, whoever they are. A feature that asks those to its right declares its question where it
 * asks it (`declare module`); they answer in their `tells`.
 */
export interface Questions {
  /** Columns that keep stored bytes alive. */
  bytesKept: readonly BytesUse[]
  /** Who knows the administrators, and tells them. */
  administrators: TellAdministrators
  /** What is a member's own, for the member's archive. */
  exportOf: ExportOf
  /** Who may watch what, by kind of topic. */
  mayWatch: { readonly [Kind in Topic['kind']]?: Authorize }
}
export type Tells = { readonly [Question in keyof Questions]?: Questions[Question] }

/** The answers of all features, in the order of the list. */
export type Told = <Question extends keyof Questions>(question: Question) => Questions[Question][]

export const toldBy =
  (features: readonly Feature[]): Told =>
  (question) =>
    features.flatMap(({ tells = {} }) => {
      const answer = tells[question]
      return answer === undefined ? [] : [answer]
    })
