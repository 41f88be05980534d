/** Refuses large bodies before they are read, where that is known: to read one costs as much as to answer many calls. */
import { createHash } from 'node:crypto'
import { requests, slices } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../infra/context.ts'
import { isSmall } from './body.ts'
import { bodyBytes } from './body-bytes.ts'
import { Failure, fail } from './fail.ts'

const WINDOW_MS = 60_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a call: it is open to everybody. */
    isOpen?: boolean
    /** Of a call: what a large body asks for takes its turn. */
    inTurn?: boolean
  }
}

type Count = { wrong: number; until: number }

/**
 * Refuses whoever sent so many large wrong bodies within a minute (`rate_limited`: the product's own pages send none), and
 * whoever has more large works under way than may wait for their turn (`too_much_at_once`). Gives the reading of a body that
 * counts the wrong ones; small bodies are never refused here.
 */
export function watchLargeBodies(app: FastifyInstance, ctx: Pick<Context, 'now'>) {
  const counts = new Map<string, Count>()
  const underWay = new Map<string, number>()

  app.addHook('onRequest', async (request, reply) => {
    const { isJson, inTurn } = request.routeOptions.config
    if (!isJson || !isLarge(request)) return
    const whom = whomOf(request)
    forget(counts, ctx.now().getTime())
    if ((counts.get(whom)?.wrong ?? 0) >= requests.wrongPerMinute) throw fail('rate_limited')
    if (inTurn && !isSmall(request)) begin(underWay, whom, reply)
  })

  return async <Body>(request: FastifyRequest, read: () => Promise<Body>): Promise<Body> => {
    try {
      return await read()
    } catch (error) {
      if (error instanceof Failure && isLarge(request)) {
        const whom = whomOf(request)
        const { wrong, until } = counts.get(whom) ?? { wrong: 0, until: ctx.now().getTime() + WINDOW_MS }
        counts.set(whom, { wrong: wrong + 1, until })
      }
      throw error
    }
  }
}

/** Each stands at the place of its first wrong body: the oldest are in front. */
function forget(counts: Map<string, Count>, now: number): void {
  for (const [whom, { until }] of counts) {
    if (until > now) return
    counts.delete(whom)
  }
}

/** One is worked on, and so many wait for their turn. */
function begin(underWay: Map<string, number>, whom: string, { raw }: FastifyReply): void {
  const others = underWay.get(whom) ?? 0
  if (others > slices.waiting) throw fail('too_much_at_once')
  underWay.set(whom, others + 1)
  raw.once('close', () => {
    const left = (underWay.get(whom) ?? 1) - 1
    if (left > 0) underWay.set(whom, left)
    else underWay.delete(whom)
  })
}

/**
 * The session, which nobody else can name, at this address; without one the address. A made-up session is let through here
 * and refused by the gate, before its body is checked.
 */
function whomOf({ ip, headers, routeOptions: { config } }: FastifyRequest): string {
  if (config.isOpen) return ip
  const token = String(headers.token ?? '')
  return `${ip} ${createHash('sha256').update(token).digest('base64')}`
}

const isLarge = (request: FastifyRequest): boolean => bodyBytes(request) > requests.wrongBytes
