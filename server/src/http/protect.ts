/** What every answer and every request passes: security headers, flood limit, request log. Knows no call. */
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { requests } from '@neuroloom/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../infra/context.ts'
import { fail } from './fail.ts'

export async function protect(app: FastifyInstance, { config }: Context): Promise<void> {
  const isSecure = config.tls !== undefined || config.publicUrl?.startsWith('https:') === true
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        // The front page's network runs as WebAssembly; no text becomes script.
        'script-src': ["'self'", "'wasm-unsafe-eval'"],
        // The component library writes its styles into the page.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'", 'data:'],
        'worker-src': ["'self'", 'blob:'],
        // Includes this server's own web socket.
        'connect-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Browsers ignore these on plain http, or lock people out of it.
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: isSecure,
    originAgentCluster: isSecure,
  })
  await app.register(rateLimit, {
    max: requests.perMinute,
    timeWindow: 60_000,
    allowList: (request) => !request.url.startsWith('/AI/api/') || request.url.startsWith('/AI/api/chunk/'),
    errorResponseBuilder: () => fail('rate_limited'),
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/AI/api/') && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store')
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip } = request
    // Without the query: signed links stand there.
    const [path] = request.url.split('?')
    const facts = { method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ip }
    if (reply.statusCode >= 500) request.log.warn(facts, 'answered')
    else request.log.debug(facts, 'answered')
  })
}
