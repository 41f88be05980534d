/** Sends stored bytes under a name: whole or a range, never as something that a browser would run. Checks no rights. */
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, Storage } from '../infra/storage/storage.ts'

export type StoredBytes = {
  sha256: string
  sizeBytes: number
  /** As people know it; other systems' forbidden signs are dealt with here. */
  name: string
  contentType: string
  /** `inline`: shown in a page. */
  disposition: 'inline' | 'attachment'
  /** The browser keeps them, and asks each time whether it may still show them. */
  isAskedAgain?: boolean
}

export function sendBytes(
  storage: Storage,
  { sha256, sizeBytes, name, contentType, disposition, isAskedAgain = false }: StoredBytes,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const etag = `"${sha256}"`
  reply
    .headers(guards)
    .header('content-type', contentType)
    .header('content-disposition', dispositionOf(disposition, name))
    .header('cache-control', isAskedAgain ? 'private, no-cache' : kept[disposition])
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
  if (isAskedAgain && request.headers['if-none-match'] === etag) return reply.code(304).send()
  const range = readRange(request, { sizeBytes, etag })
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send()
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  reply.header('content-length', range ? range.end - range.start + 1 : sizeBytes)
  if (request.method === 'HEAD') return reply.send()
  // Told where it ends, the answer ends with its last byte, not a look at the disk later.
  const whole = sizeBytes > 0 ? { start: 0, end: sizeBytes - 1 } : undefined
  return reply.send(storage.read(sha256, range ?? whole))
}

const kept: Record<StoredBytes['disposition'], string> = {
  inline: 'private, max-age=1800, immutable',
  attachment: 'private, no-store',
}

/** A name that every system can store, in any script. */
export const fileName = (name: string): string => {
  const safe = wellFormed(name).replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '-')
  return safe.replace(/^[.\s-]+|[.\s-]+$/g, '') || 'file'
}

/** Half a character, which a name from an old system may hold, cannot be encoded. */
const wellFormed = (name: string): string => name.replace(/\p{Surrogate}/gu, '\uFFFD')

/** Whatever the bytes turn out to be, a browser runs nothing of them. */
const guards = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** A download that is made while it is sent; nobody may keep it. */
export const sendStream = (
  reply: FastifyReply,
  { name, contentType, content }: { name: string; contentType: string; content: Readable },
): FastifyReply =>
  reply
    .header('content-type', contentType)
    .header('content-disposition', dispositionOf('attachment', name))
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .send(content)

/** Plain letters for old programs, RFC 5987 for all others. */
export function dispositionOf(type: StoredBytes['disposition'], name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const escaped = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  const encoded = encodeURIComponent(wellFormed(name)).replace(/['()*]/g, escaped)
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** One range; several, or one for other bytes (`If-Range`), are answered with the whole. */
function readRange(
  { headers }: FastifyRequest,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '')
  const condition = headers['if-range']
  if (!match || (condition !== undefined && condition !== etag)) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  const isSuffix = first === ''
  const start = isSuffix ? Math.max(sizeBytes - Number(last), 0) : Number(first)
  const end = isSuffix || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (!isSuffix && last !== '' && Number(last) < start) return null
  return start > end || start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
