/** What watches over a server asks: is it well, and figures for Prometheus. Strangers learn one word and no figure. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../infra/context.ts'
import { equal } from '../infra/links.ts'
import { fail } from './fail.ts'
import { isAtThisMachine } from './loopback.ts'

export function addHealth(app: FastifyInstance, ctx: Context): void {
  const isWell = atMostOnceEvery(1000, () => databaseAnswers(ctx))
  app.get('/healthz', async (_request, reply) => {
    const status = await isWell()
    return reply
      .code(status ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain')
      .send(status ? 'ok\n' : 'the database does not answer\n')
  })
  const registry = measure(app, ctx)
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!mayRead(request, ctx)) throw fail('not_found')
    const text = await Registry.merge([ofProcess(), registry]).metrics()
    return reply.header('cache-control', 'no-store').type(registry.contentType).send(text)
  })
}

const ANSWER_MS = 3000

const databaseAnswers = ({ pool, log }: Context): Promise<boolean> =>
  // The driver's types lack what its queries know.
  pool.query({ text: 'select 1', query_timeout: ANSWER_MS } as { text: string }).then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error }, 'the database does not answer')
      return false
    },
  )

/** However many ask: a stranger must not load the database with this. */
function atMostOnceEvery<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null
  return () => {
    if (!last || performance.now() - last.at > ms) last = { at: performance.now(), answer: ask() }
    return last.answer
  }
}

/** The token, where there is one; else programs of this machine alone. */
function mayRead(request: FastifyRequest, { config }: Context): boolean {
  if (config.metricsToken) return equal(request.headers.authorization ?? '', `Bearer ${config.metricsToken}`)
  return isAtThisMachine(request, config)
}

function measure(app: FastifyInstance, { pool }: Context): Registry {
  const registers = [new Registry()] as const
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answered requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [...registers],
  })
  new Gauge({
    name: 'database_connections',
    help: 'Connections of this process by state; waiting = requests without one',
    labelNames: ['state'],
    registers: [...registers],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    // The route's pattern: addresses would be without number, and say who did what.
    const labels = { method, route: routeOptions.url ?? 'none', status: reply.statusCode }
    seconds.observe(labels, reply.elapsedTime / 1000)
  })
  return registers[0]
}

let own: Registry | undefined

/** Memory, processor and event loop: of the process, whatever servers it holds. */
function ofProcess(): Registry {
  if (own) return own
  own = new Registry()
  collectDefaultMetrics({ register: own })
  return own
}
