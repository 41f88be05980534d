/** Puts the HTTP server together: protection, every feature's rows and byte routes, live connections. */
import { readFileSync } from 'node:fs'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { Path } from '@neuroloom/contract/calls'
import { notices, requests } from '@neuroloom/contract/limits'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { features } from './features.ts'
import { addErrorAnswers } from './http/errors.ts'
import { addCalls, missingRows } from './http/handler.ts'
import { addHealth } from './http/health.ts'
import { protect } from './http/protect.ts'
import { hintAtProxy } from './http/proxy-hint.ts'
import { routedUrl } from './http/routed.ts'
import type { Rows } from './http/row.ts'
import { endSlowBodies, forHeaders } from './http/slow.ts'
import { alarm } from './infra/alarm.ts'
import type { Context } from './infra/context.ts'
import { openSockets } from './infra/live/sockets.ts'

/** Whether all are there is asked before anything is answered: `missingRows`. */
export const rows = Object.assign({}, ...features.map((feature) => feature.rows)) as Rows<Path>

const [gate] = features.flatMap((feature) => feature.gate ?? [])

/** A part of the 15 s in which the whole product stops. */
const DRAIN_MS = 8000

/** `slowMs`: for how long a client may keep us waiting for its request. */
export async function makeApp(
  ctx: Context,
  { slowMs = requests.slowMs }: { slowMs?: number } = {},
): Promise<FastifyInstance> {
  const missing = missingRows(rows)
  if (missing.length > 0) throw new Error(`No feature answers: ${missing.join(', ')}`)
  if (!gate) throw new Error('No feature says who may come in')
  const app = makeFastify(ctx, slowMs)
  endSlowBodies(app, slowMs)
  addErrorAnswers(app)
  await protect(app, ctx)
  addHealth(app, ctx)
  hintAtProxy(app, ctx, (address) =>
    ctx.db.transaction((tx) =>
      alarm(ctx, tx, { kind: 'proxy_untrusted', params: { address }, againMs: notices.againMs }),
    ),
  )
  // Bodies are JSON or forms; a page of another site could send plain text without asking first.
  app.removeContentTypeParser('text/plain')
  await app.register(cookie)
  await app.register(formbody)
  addCalls(app, ctx, rows, gate)
  for (const { raw } of features) await raw?.(app, ctx)
  const sockets = openSockets(app.server, ctx, {
    redeem: (ticket) => gate.redeem(ctx, ticket),
    current: (sessionId) => gate.current(ctx, sessionId),
    authorize: Object.assign({}, ...ctx.told('mayWatch')),
  })
  app.addHook('onReady', () => ctx.listener.ready())
  app.addHook('preClose', () => {
    sockets.close()
    // Requests under way may finish; somebody who reads too slowly may not hold the server.
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
  })
  return app
}

function makeFastify({ config, log }: Context, slowMs: number): FastifyInstance {
  const options = {
    loggerInstance: log,
    // Our own hook writes one line a request, without queries.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    ...forHeaders(slowMs),
    // An answer that nobody takes; how long a moving one takes is the line's affair.
    connectionTimeout: 120_000,
    bodyLimit: 1024 * 1024,
    rewriteUrl: routedUrl,
    // As long as an address can be: a name that is too long is simply not there.
    routerOptions: { maxParamLength: 16_384 },
    // Ends kept-alive connections that carry no request, so that closing does not wait for them.
    forceCloseConnections: 'idle',
  } as const
  if (!config.tls) return Fastify(options)
  const { certPath, keyPath } = config.tls
  const https = {
    ...options.http,
    handshakeTimeout: slowMs,
    cert: readFileSync(certPath),
    key: readFileSync(keyPath),
  }
  // An https server has the same routes; only its type parameter differs.
  return Fastify({ ...options, https }) as unknown as FastifyInstance
}
