import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Page = { type: string; text: string; made: Map<string, Promise<Made>> }
type Made = { bytes: Buffer; tag: string }

/** Stands in them wherever an absolute address is needed; see web/build/prerender.ts. */
const ORIGIN = 'https://neuroloom.invalid'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** Pages by their address, as they were rendered at the build. */
export async function findRendered(folder: string): Promise<ReadonlyMap<string, Page>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const page: Page = {
          type: types[extname(file)] ?? '',
          text: await readFile(file, 'utf8'),
          made: new Map(),
        }
        return [addressOf(relative(folder, file)), page] as const
      }),
    ),
  )
}

/** `zh/about.html` → `/zh/about` */
const addressOf = (file: string): string =>
  `/${file.replaceAll('\\', '/').replace(/\.html$/, '')}`.replace(/^\/index$/, '/')

type Sending = {
  page: Page
  request: FastifyRequest
  reply: FastifyReply
  publicUrl: string | undefined
}

export async function sendRendered(sending: Sending): Promise<FastifyReply> {
  const { page, request, reply } = sending
  const encoding = encodingOf(request)
  const { bytes, tag } = await makeOnce(page, originOf(sending), encoding)
  reply.code(200).type(page.type).headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag: tag })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

/**
 * The address that people use, or the one that this machine knows for its own. Any other name is the visitor's word
 * alone: it gets into no page, and addresses there begin at the root.
 */
export function originOf({ request, publicUrl }: Pick<Sending, 'request' | 'publicUrl'>): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const address = `${request.protocol}://${request.headers.host ?? ''}`
  if (!URL.canParse(address)) return ''
  const { hostname, port, protocol, origin } = new URL(address)
  const { localAddress = '', localPort } = request.socket
  const own = localAddress.replace(/^::ffff:/, '')
  const isOwn = ['localhost', own, `[${own}]`].includes(hostname)
  return isOwn && Number(port || usualPorts[protocol]) === localPort ? origin : ''
}

const usualPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

type Encoding = 'br' | 'gzip' | 'identity'

function encodingOf({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '')
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
}

function makeOnce({ text, made }: Page, origin: string, encoding: Encoding): Promise<Made> {
  const key = `${encoding} ${origin}`
  const ready = made.get(key)
  if (ready !== undefined) return ready
  // Without an address of its own there is no sitemap to point to.
  const known = origin === '' ? text.replace(/^Sitemap: .*\n?/m, '') : text
  const making = compress(known.replaceAll(ORIGIN, origin), encoding).then((bytes) => ({
    bytes,
    tag: tagOf(bytes),
  }))
  made.set(key, making)
  return making
}

const tagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

async function compress(text: string, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 6 } })
    case 'gzip':
      return promisify(gzip)(text)
    case 'identity':
      return Buffer.from(text)
  }
}
