import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { answer } from '../../http/errors.ts'
import { fail } from '../../http/fail.ts'
import { isAddress } from '../../http/routed.ts'
import { findRendered, originOf, sendRendered } from './rendered.ts'

/** `<repository>/web/dist`, from `server/src/features/site` as well as from `server/bundle/features/site`. */
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
  const isKnown = await knownPages(folder, [...rendered.keys()])
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
  const config = { isUncounted: true }
  for (const [path, page] of rendered) {
    app.get(path, { config }, (request, reply) =>
      path === SITEMAP && originOf({ request, publicUrl }) === ''
        ? notFound(request, reply)
        : sendRendered({ page, request, reply, publicUrl }),
    )
    if (path !== '/')
      app.get(`${path}/`, { config }, (request, reply) => reply.redirect(path + queryOf(request), 308))
  }
  // Routes, so that the router decides what lies there, however it is spelled.
  for (const url of ['/AI/*', '/api/*']) app.all(url, notFound)
  app.setNotFoundHandler((request, reply) =>
    isBuilt && isPage(request)
      ? reply.code(isKnown(request.url) ? 200 : 404).sendFile('index.html')
      : notFound(request, reply),
  )
}

/** Its addresses have to be absolute: there is none where nobody knows by which name people reach the server. */
const SITEMAP = '/sitemap.xml'

/**
 * Whether an address belongs to a page: the application itself shows which pages are missing, and the status says so to
 * programs. The build lists the application's own pages; it takes their addresses in any case.
 */
async function knownPages(folder: string, rendered: readonly string[]): Promise<(url: string) => boolean> {
  const text = await readFile(join(folder, 'rendered', OWN_PAGES), 'utf8').catch(() => null)
  if (text === null) return () => true
  const known = new Set([...z.array(z.string()).parse(JSON.parse(text)), ...rendered].map(plain))
  return (url) => known.has(plain(url))
}

const OWN_PAGES = 'pages.json'

const plain = (url: string): string => {
  const [path = ''] = url.split(/[?#]/)
  return decodeURIComponent(path).toLowerCase().replace(/\/+$/, '')
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const url = request.originalUrl
  return answer(
    isAddress(url) ? fail('not_found', { path: url.slice(0, 200) }) : fail('bad_request'),
    request,
    reply,
  )
}

const queryOf = ({ url }: FastifyRequest): string => /\?.*$/.exec(url)?.[0] ?? ''

/** Vite puts a hash of the content into the names below assets/, so those never change. */
const cachingOf = (path: string): string =>
  path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'

/** Anything that is no file may be an address of the application. */
function isPage({ method, url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?')
  const isFile = path.split('/').pop()?.includes('.')
  return (method === 'GET' || method === 'HEAD') && !isFile
}
