/** What every answer and every request passes: security headers, flood limit, own pages alone, request log. Knows no call. */
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { requests } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../infra/context.ts'
import { bodyBytes } from './body-bytes.ts'
import { fail } from './fail.ts'
import { isForeignPage } from './origin.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route: a flood of it is no flood. Files of pages are many and cheap, chunks of uploads are many and meant. */
    isUncounted?: boolean
    /** Its body is read whole, as JSON, before anything looks at it. */
    isJson?: boolean
  }
}

export async function protect(app: FastifyInstance, { config }: Pick<Context, 'config'>): Promise<void> {
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
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', POLICY)
  })
  await addFloodLimit(app)
  app.addHook('onRequest', async (request) => {
    if (isReading(request)) return
    const { headers, host } = request
    if (isForeignPage({ headers, host, publicUrl: config.publicUrl })) throw fail('foreign_page')
  })
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    if (routeOptions.url?.startsWith(OWN) && !reply.hasHeader('cache-control')) {
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

/** What no page of ours uses: a script that should not be there gets none of it either. */
const POLICY = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((name) => `${name}=()`)
  .join(', ')

/** Below this the server itself answers; everything else is for people to look at. */
const OWN = '/AI/'
/** The route of the browser's files, registered by their own plugin. */
const FILES = '/*'

/** By the route that matched, never by the text of the address; what no route matches counts as well. */
async function addFloodLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max: requests.perMinute,
    timeWindow: 60_000,
    errorResponseBuilder: () => fail('rate_limited'),
  })
  const count = app.rateLimit()
  const countLarge = app.createRateLimit({ max: requests.largePerMinute, timeWindow: 60_000 })
  app.addHook('onRequest', async function (request, reply) {
    const { url, config } = request.routeOptions
    if (url === FILES || config.isUncounted) return
    await count.call(this, request, reply)
    if (!config.isJson || bodyBytes(request) <= requests.largeBytes) return
    const large = await countLarge(request)
    if (!large.isAllowed && large.isExceeded) throw fail('rate_limited')
  })
  // A file that is not there.
  app.addHook('preHandler', async function (request, reply) {
    if (request.is404) await count.call(this, request, reply)
  })
}

const isReading = ({ method }: FastifyRequest): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)
