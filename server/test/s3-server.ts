/**
 * An S3 store of one bucket in memory, as strict as Amazon's in what the product relies on: an object is there whole or
 * not at all, listings show it at once and in order, MD5 sums are compared. Fails when it is told to.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Config } from '../src/config.ts'

/** Instead of what a request asked for; `after` counts bytes of the request or the answer. */
export type Fate =
  | { kind: 'error'; status: number; code: string }
  | { kind: 'cut-there'; after: number }
  | { kind: 'cut-back'; after: number }
  | { kind: 'stand-still'; after: number }
  /** Done, but the line is cut before it is said. */
  | { kind: 'answer-lost' }
type Seen = { method: string; key: string; query: URLSearchParams; range: string | undefined }
type Decide = (request: Seen) => Fate | undefined | Promise<Fate | undefined>
type Answer = { status: number; headers?: Record<string, string | number>; body?: Buffer | string }

export type S3Server = {
  config: S3Config
  /** By key. */
  objects: Map<string, Buffer>
  /** Uploads in parts that were neither completed nor given up. */
  uploads: Map<string, Map<number, Buffer>>
  /** Asked for each request when it has come. */
  fate: Decide
  /** Names in one page of a listing. */
  pageSize: number
  seen: Seen[]
  /** Requests not answered to the end. */
  open(): number
  close(): Promise<void>
}

const BUCKET = 'bytes'
const SMALLEST_PART = 5 * 1024 * 1024

export async function startS3(): Promise<S3Server> {
  let open = 0
  const http = createServer((request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
    serve(server, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // Listening on a port of TCP, never on a pipe.
  const { port } = http.address() as AddressInfo
  const server: S3Server = {
    config: {
      bucket: BUCKET,
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'KEY',
      secretAccessKey: 'very-secret',
      prefix: 'neuroloom/',
      pathStyle: true,
      cacheBytes: 1024 ** 3,
    },
    objects: new Map(),
    uploads: new Map(),
    fate: () => undefined,
    pageSize: 1000,
    seen: [],
    open: () => open,
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return server
}

async function serve(server: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request
  const url = new URL(request.url ?? '', 'http://store')
  const [, bucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? []
  const seen = { method, key, query: url.searchParams, range: headers.range }
  server.seen.push(seen)
  const fate = await server.fate(seen)
  if (fate?.kind === 'cut-there') {
    let left = fate.after
    for await (const chunk of request) {
      left -= chunk.length
      if (left < 0) break
    }
    response.destroy()
    return
  }
  // A body that is cut ends here: nothing of it is kept.
  const body = await buffer(request)
  const answer =
    fate?.kind === 'error'
      ? failure(fate.status, fate.code)
      : (refusal(request, bucket, body) ?? act(server, seen, body))
  if (fate?.kind === 'answer-lost') response.destroy()
  else give(response, answer, fate)
}

function give(
  response: ServerResponse,
  { status, headers = {}, body = '' }: Answer,
  fate: Fate | undefined,
): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'content-length': bytes.length, ...headers })
  if (fate?.kind === 'cut-back') response.write(bytes.subarray(0, fate.after), () => response.destroy())
  else if (fate?.kind === 'stand-still') response.write(bytes.subarray(0, fate.after))
  else response.end(bytes)
}

function refusal({ headers }: IncomingMessage, bucket: string, body: Buffer): Answer | null {
  if (!headers.authorization?.includes('Credential=KEY/')) return failure(403, 'InvalidAccessKeyId')
  if (bucket !== BUCKET) return failure(404, 'NoSuchBucket')
  // Many stores would keep the frames as bytes.
  if (String(headers['x-amz-content-sha256']).startsWith('STREAMING-')) return failure(501, 'NotImplemented')
  const md5 = headers['content-md5']
  if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')) {
    return failure(400, 'BadDigest')
  }
  return null
}

function act(server: S3Server, { method, key, query, range }: Seen, body: Buffer): Answer {
  const uploadId = query.get('uploadId')
  switch (method) {
    case 'GET':
      return key === '' ? list(server, query) : get(server.objects.get(key), range)
    case 'PUT':
      if (uploadId !== null)
        return putPart(server, uploadId, { number: Number(query.get('partNumber')), body })
      server.objects.set(key, body)
      return { status: 200, headers: { etag: etagOf(body) } }
    case 'POST':
      return uploadId === null ? begin(server) : complete(server, uploadId, { key, wish: body.toString() })
    case 'DELETE':
      if (uploadId === null) server.objects.delete(key)
      else server.uploads.delete(uploadId)
      return { status: 204 }
    default:
      return failure(405, 'MethodNotAllowed')
  }
}

function get(bytes: Buffer | undefined, range: string | undefined): Answer {
  if (!bytes) return failure(404, 'NoSuchKey')
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (first === undefined) return { status: 200, body: bytes }
  const start = Number(first)
  const end = last ? Math.min(Number(last), bytes.length - 1) : bytes.length - 1
  if (start > end) return failure(416, 'InvalidRange')
  const headers = { 'content-range': `bytes ${start}-${end}/${bytes.length}` }
  return { status: 206, headers, body: bytes.subarray(start, end + 1) }
}

function list({ objects, pageSize }: S3Server, query: URLSearchParams): Answer {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
  const page = keys.sort().slice(0, pageSize)
  const rows = page.map((key) =>
    element('Contents', element('Key', key) + element('Size', sizeOf(objects, key))),
  )
  const isTruncated = keys.length > page.length
  const next = isTruncated ? element('NextContinuationToken', page.at(-1) ?? '') : ''
  return xml('ListBucketResult', element('IsTruncated', String(isTruncated)) + next + rows.join(''))
}

const sizeOf = (objects: S3Server['objects'], key: string): string => String(objects.get(key)?.length)

function begin({ uploads }: S3Server): Answer {
  const id = randomBytes(8).toString('hex')
  uploads.set(id, new Map())
  return xml('InitiateMultipartUploadResult', element('UploadId', id))
}

function putPart(
  { uploads }: S3Server,
  id: string,
  { number, body }: { number: number; body: Buffer },
): Answer {
  const parts = uploads.get(id)
  if (!parts) return failure(404, 'NoSuchUpload')
  parts.set(number, body)
  return { status: 200, headers: { etag: etagOf(body) } }
}

function complete(server: S3Server, id: string, { key, wish }: { key: string; wish: string }): Answer {
  const parts = server.uploads.get(id)
  if (!parts) return failure(404, 'NoSuchUpload')
  const wished = [...wish.matchAll(/<Part>(.*?)<\/Part>/g)].map(([, part = '']) => ({
    bytes: parts.get(Number(/<PartNumber>(\d+)</.exec(part)?.[1])),
    etag: /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
  }))
  const bytes: Buffer[] = []
  for (const one of wished) {
    if (!one.bytes || one.etag !== etagOf(one.bytes)) return failure(400, 'InvalidPart')
    bytes.push(one.bytes)
  }
  if (bytes.slice(0, -1).some(({ length }) => length < SMALLEST_PART)) return failure(400, 'EntityTooSmall')
  server.objects.set(key, Buffer.concat(bytes))
  server.uploads.delete(id)
  return xml('CompleteMultipartUploadResult', element('Key', key))
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`
const element = (name: string, content: string): string => `<${name}>${content}</${name}>`
const xml = (name: string, content: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>${element(name, content)}`,
})
const failure = (status: number, code: string): Answer =>
  xml('Error', element('Code', code) + element('Message', code), status)
