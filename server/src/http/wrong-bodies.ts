/** Ends a flood of large bodies full of wrong values: to find out that one is wrong costs as much as to do what it asks. */
import { requests } from '@neuroloom/contract/limits'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../infra/context.ts'
import { Failure, fail } from './fail.ts'

const WINDOW_MS = 60_000

type Count = { wrong: number; until: number }

/**
 * Reads a body by `read`; after so many large wrong ones of `whom` within a minute (a member's number, or an address) further
 * large ones are refused unread, as `rate_limited`. The product's own pages send none, and small ones always pass.
 */
export function createWrongBodies(ctx: Pick<Context, 'now'>) {
  const counts = new Map<string, Count>()
  // Each stands at the place of its first wrong body: the oldest are in front.
  const forget = (now: number): void => {
    for (const [whom, { until }] of counts) {
      if (until > now) return
      counts.delete(whom)
    }
  }
  return async <Body>(
    request: Pick<FastifyRequest, 'headers'>,
    whom: string,
    read: () => Promise<Body>,
  ): Promise<Body> => {
    if (!isLarge(request)) return read()
    const now = ctx.now().getTime()
    forget(now)
    if ((counts.get(whom)?.wrong ?? 0) >= requests.wrongPerMinute) throw fail('rate_limited')
    try {
      return await read()
    } catch (error) {
      if (error instanceof Failure) {
        const count = counts.get(whom) ?? { wrong: 0, until: now + WINDOW_MS }
        counts.set(whom, { ...count, wrong: count.wrong + 1 })
      }
      throw error
    }
  }
}

/** As it announces itself; a body in pieces of unknown length counts as large. */
const isLarge = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > requests.wrongBytes
