/** Puts the HTTP server together: protection, every feature's rows and byte routes, live connections. */
import { readFileSync } from 'node:fs'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { Answer, Parsed, Path } from '@neuroloom/contract/calls'
import { notices, requests } from '@neuroloom/contract/limits'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { speakSamples } from './demo/language.ts'
import * as accounts from './features/accounts/routes.ts'
import * as sessions from './features/accounts/session.ts'
import * as signIn from './features/accounts/sign-in.ts'
import { requireDataset } from './features/datasets/access.ts'
import { exportOf as datasetsOf } from './features/datasets/export.ts'
import * as datasets from './features/datasets/routes.ts'
import { exportOf as filesOf } from './features/files/export.ts'
import * as files from './features/files/routes.ts'
import { exportOf as networksOf } from './features/networks/export.ts'
import * as networks from './features/networks/routes.ts'
import * as plans from './features/plans/routes.ts'
import { requireProject } from './features/projects/access.ts'
import { exportOf as projectsOf } from './features/projects/export.ts'
import * as projects from './features/projects/routes.ts'
import * as reports from './features/reports/routes.ts'
import { requireRun } from './features/runs/access.ts'
import { exportOf as runsOf } from './features/runs/export.ts'
import * as runs from './features/runs/routes.ts'
import * as site from './features/site/routes.ts'
import { anyone, type Guest } from './http/access.ts'
import { addErrorAnswers } from './http/errors.ts'
import { fail } from './http/fail.ts'
import { addCalls, missingRows } from './http/handler.ts'
import { addHealth } from './http/health.ts'
import { protect } from './http/protect.ts'
import { hintAtProxy } from './http/proxy-hint.ts'
import { routedUrl } from './http/routed.ts'
import type { Rows } from './http/row.ts'
import { endSlowBodies, forHeaders } from './http/slow.ts'
import { alarm } from './infra/alarm.ts'
import type { ExportOf } from './infra/archive.ts'
import type { Context } from './infra/context.ts'
import { openSockets, type SocketHooks } from './infra/live-sockets.ts'

export const rows: Rows<Path> = {
  ...accounts.rows,
  ...plans.rows,
  ...files.rows,
  ...projects.rows,
  ...datasets.rows,
  ...networks.rows,
  ...runs.rows,
  ...reports.rows,
  ...site.rows,
  'user/login': { access: anyone, run: login },
}

/** The samples of the demo member follow the language of the sign-in. */
async function login(ctx: Context, body: Parsed<'user/login'>, guest: Guest): Promise<Answer<'user/login'>> {
  const answer = await signIn.login(ctx, body, guest)
  await speakSamples(ctx, answer.id, guest.language)
  return answer
}

/** A part of the 15 s in which the whole product stops. */
const DRAIN_MS = 8000

/** What is a member's own, feature by feature. */
const belongings: ExportOf[] = [projectsOf, datasetsOf, networksOf, runsOf, filesOf]

/** Who may watch what: the features' own rules. */
const authorize: SocketHooks['authorize'] = {
  user: async (_ctx, user, id) => {
    if (user.id !== id) throw fail('missing')
  },
  project: (ctx, user, id) => requireProject(ctx.db, user, id, 'view'),
  dataset: (ctx, user, id) => requireDataset(ctx.db, user, id, 'view'),
  run: (ctx, user, id) => requireRun(ctx.db, user, id, 'view'),
}

/** `slowMs`: for how long a client may keep us waiting for its request. */
export async function makeApp(
  ctx: Context,
  { slowMs = requests.slowMs }: { slowMs?: number } = {},
): Promise<FastifyInstance> {
  const missing = missingRows(rows)
  if (missing.length > 0) throw new Error(`No feature answers: ${missing.join(', ')}`)
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
  addCalls(app, ctx, rows, sessions.gate)
  accounts.raw(app, ctx, belongings)
  files.raw(app, ctx)
  projects.raw(app, ctx)
  runs.raw(app, ctx)
  reports.raw(app, ctx)
  await site.raw(app, ctx)
  const sockets = openSockets(app.server, ctx, {
    redeem: (ticket) => sessions.redeemTicket(ctx, ticket),
    current: (sessionId) => sessions.findActive(ctx, sessionId),
    authorize,
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
