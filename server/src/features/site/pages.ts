import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answer } from '../../http/errors.ts'
import { fail } from '../../http/fail.ts'

/** `<repository>/web/dist`, from `server/src/features/site` as well as from `server/dist/features/site`. */
const built = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** The browser's files as Vite built them, already compressed. Addresses of pages all answer the one page. */
export async function addPages(app: FastifyInstance, folder = built): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      cacheControl: false,
      setHeaders: (reply, path) => reply.header('cache-control', cachingOf(path)),
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPage(request)) return reply.sendFile('index.html')
    return answer(fail('not_found', { path: request.url.slice(0, 200) }), request, reply)
  })
}

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
