import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answer } from '../../http/errors.ts'
import { fail } from '../../http/fail.ts'
import { findRendered, sendRendered } from './rendered.ts'

/** `<repository>/web/dist`, from `server/src/features/site` as well as from `server/dist/features/site`. */
const built = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

type Options = {
  folder?: string
  /** The address people use; without it the one of the request. */
  publicUrl?: string | undefined
}

/**
 * The browser's files as Vite built them, already compressed. Public pages answer as they were rendered ahead; addresses
 * of all other pages answer the one empty page.
 */
export async function addPages(app: FastifyInstance, { folder = built, publicUrl }: Options): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  const rendered = await findRendered(join(folder, 'rendered'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      cacheControl: false,
      allowedPath: (path) => !path.startsWith('/rendered/'),
      setHeaders: (reply, path) => reply.header('cache-control', cachingOf(path)),
    })
  }
  for (const [path, page] of rendered) {
    app.get(path, (request, reply) => sendRendered({ page, request, reply, publicUrl }))
    if (path !== '/') app.get(`${path}/`, (request, reply) => reply.redirect(withoutSlash(request.url), 308))
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPage(request)) return reply.sendFile('index.html')
    return answer(fail('not_found', { path: request.url.slice(0, 200) }), request, reply)
  })
}

const withoutSlash = (url: string): string => url.replace(/\/(?=\?|$)/, '')

/** Vite puts a hash of the content into the names below assets/, so those never change. */
const cachingOf = (path: string): string =>
  path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'

function isPage({ method, url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?')
  const isFile = path.split('/').pop()?.includes('.')
  return (
    (method === 'GET' || method === 'HEAD') &&
    !path.startsWith('/AI/') &&
    !path.startsWith('/api/') &&
    !isFile
  )
}
