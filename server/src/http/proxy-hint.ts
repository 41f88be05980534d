/** Notices a proxy that nobody set up: behind it all visitors look like one. Believes nothing of what it says. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../infra/context.ts'

/** By which a proxy says for whom it asks; many say it in one of these ways alone. */
const signs = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/** Once a process, because anybody can write such headers by hand. */
export function hintAtProxy(
  app: FastifyInstance,
  { config, log }: Pick<Context, 'config' | 'log'>,
  tell: (address: string) => Promise<void>,
): void {
  if (config.trustProxy !== false) return
  let isTold = false
  app.addHook('onRequest', async ({ headers, ip }) => {
    if (isTold || signs.every((name) => headers[name] === undefined)) return
    isTold = true
    log.warn(
      { proxy: ip },
      'a request came with X-Forwarded-For or the like: if a proxy stands in front, set TRUST_PROXY to its address; until then all its visitors count as one',
    )
    tell(ip).catch((error: unknown) => log.error({ err: error }, 'administrators not told of the proxy'))
  })
}
