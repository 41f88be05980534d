import type { Language } from '@neuroloom/contract/language'
import { files as limits } from '@neuroloom/contract/limits'
import { UPLOAD_PATH } from '@neuroloom/contract/uploads'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOf, Failure, fail, statusOf, textOf } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { UploadLocker } from './lock.ts'
import { type UploadRequest, UploadStore } from './store.ts'

const PATH = `/AI/api/${UPLOAD_PATH}`
/** How long a request whose client has come back elsewhere may go on. */
const DRAIN_MS = 1000

/** Resumable uploads (tus 1.0), signed in by the same headers as every call. */
export function addUploadRoutes(app: FastifyInstance, ctx: Context): void {
  const locker = new UploadLocker()
  void app.register(async (scope) => {
    // The bytes stay in the request: the store reads them as a stream.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null))
    // A client of the protocol goes by the status: only 2xx means that bytes were taken.
    scope.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode < 400) reply.code(401)
    })
    for (const url of [PATH, `${PATH}/:id`]) {
      scope.route({
        method: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
        url,
        handler: (request, reply) => handle(ctx, { locker, request, reply }),
      })
    }
  })
}

type Incoming = { locker: UploadLocker; request: FastifyRequest; reply: FastifyReply }

async function handle(ctx: Context, { locker, request, reply }: Incoming): Promise<void> {
  const caller = await request.caller()
  const length = readLength(request)
  const checksum = /^sha256 ([A-Za-z0-9+/]{43}=)$/.exec(String(request.headers['upload-checksum'] ?? ''))
  reply.hijack()
  reply.raw.setHeader('Tus-Checksum-Algorithm', 'sha256')
  reply.raw.setHeader('Cache-Control', 'no-store')
  const tus = makeTusServer(ctx, locker, { caller, length, checksum: checksum?.[1] ?? null })
  await tus.handle(request.raw, reply.raw)
}

/** Chunks say how long they are: otherwise a broken line would look like the end of one. */
function readLength({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) throw fail('bad_request')
  const length = Number(headers['content-length'] ?? 0)
  if (length > limits.chunkBytes) throw fail('too_large', { limitBytes: limits.chunkBytes })
  return length
}

/** One a request, so that its store knows whom it serves. */
function makeTusServer(ctx: Context, locker: UploadLocker, request: UploadRequest): Server {
  const store = new UploadStore(ctx, request)
  return new TusServer({
    path: PATH,
    datastore: store,
    locker,
    lockDrainTimeout: DRAIN_MS,
    relativeLocation: true,
    // Pages of other sites have no business here.
    allowedOrigins: () => false,
    // An upload's number is the one that `files/prepare` gave out.
    namingFunction: (_request, metadata) => store.requireOwn(metadata?.upload ?? ''),
    onIncomingRequest: async (_request, id) => {
      // Before the lock: nobody can hold up somebody else's upload.
      await store.requireOwn(id)
    },
    onResponseError: (_request, error) => {
      const failure = failureOf(ctx, error)
      if (!failure) return undefined
      // A client of the protocol goes by the status: only 2xx means that bytes were taken.
      const status = statusOf(failure.failure)
      return { status_code: status < 400 ? 403 : status, body: envelope(failure, request.caller.language) }
    },
  })
}

/** Failures are answered as everywhere: an envelope, as JSON. */
class TusServer extends Server {
  override async write(...[context, headers, status, body]: Parameters<Server['write']>) {
    if (body?.startsWith('{')) headers.set('Content-Type', 'application/json; charset=utf-8')
    return super.write(context, headers, status, body)
  }
}

/** Null for the protocol's own refusals (wrong offset and the like), which carry their status. */
function failureOf(ctx: Context, error: unknown): Failure | null {
  if (error instanceof Failure) return error
  if (!(error instanceof Error)) return null
  if ('code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))) {
    ctx.log.error({ err: error }, 'no space left for uploads')
    return fail('disk_full')
  }
  const reference = newId()
  ctx.log.error({ err: error, reference }, 'upload failed')
  return fail('internal', { reference })
}

function envelope({ failure, params }: Failure, language: Language): string {
  const message = textOf(failure, params, language)
  return JSON.stringify({ code: codeOf(failure), message, data: { error: failure, params } })
}
