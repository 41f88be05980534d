/** Puts the HTTP server together: plugins, every feature's rows and byte routes, live connections. */
import { readFileSync } from 'node:fs'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { Path } from '@neuroloom/contract/calls'
import Fastify, { type FastifyInstance } from 'fastify'
import * as accounts from './features/accounts/routes.ts'
import * as accountSessions from './features/accounts/session.ts'
import * as plans from './features/plans/routes.ts'
import * as site from './features/site/routes.ts'
import { addErrorAnswers, answer } from './http/errors.ts'
import { fail } from './http/fail.ts'
import { API_PREFIX, addCalls } from './http/handler.ts'
import type { Rows } from './http/row.ts'
import type { Context } from './infra/context.ts'

export const rows: Partial<Rows<Path>> = { ...accounts.rows, ...plans.rows, ...site.rows }

/** Requests an address may make in a minute before anything is looked at; uploads and pages are not counted. */
const FLOOD = { max: 12_000, timeWindow: 60_000 }

export async function makeApp(ctx: Context): Promise<FastifyInstance> {
  const { config } = ctx
  const tls = config.tls && {
    https: { cert: readFileSync(config.tls.certPath), key: readFileSync(config.tls.keyPath) },
  }
  const app = Fastify({
    loggerInstance: ctx.log,
    trustProxy: config.trustProxy,
    requestTimeout: 120_000,
    handlerTimeout: 30_000,
    bodyLimit: 1024 * 1024,
    // `close` ends kept-alive connections that carry no request.
    forceCloseConnections: 'idle',
    ...tls,
  })
  addErrorAnswers(app)
  await app.register(cookie)
  await app.register(formbody)
  await app.register(helmet, { contentSecurityPolicy: false })
  await app.register(rateLimit, FLOOD)
  addCalls(app, ctx, rows, accountSessions.gate)
  app.setNotFoundHandler((request, reply) => {
    return answer(fail('not_found', { path: request.url.slice(0, 200) }), request, reply)
  })
  return app
}

export { API_PREFIX }
