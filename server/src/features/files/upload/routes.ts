import type { Language } from '@neuroloom/contract/language'
import { files as limits } from '@neuroloom/contract/limits'
import { UPLOAD_PATH } from '@neuroloom/contract/uploads'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOf, Failure, fail, statusOf, textOf } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { isDiskFull } from '../../../infra/room.ts'
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
        config: { isUncounted: true },
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
  const incoming = { caller, length, checksum: checksum?.[1] ?? null, body: request.raw }
  reply.hijack()
  reply.raw.setHeader('Tus-Checksum-Algorithm', 'sha256')
  reply.raw.setHeader('Cache-Control', 'no-store')
  const answer = await makeTusServer(ctx, locker, incoming).handleWeb(headOf(request))
  reply.raw.writeHead(answer.status, Object.fromEntries(answer.headers))
  reply.raw.end(await answer.text())
}

/** What tus needs of a request. The store takes the body where it comes in: five streams in between cost as much as the hashing. */
function headOf({ method, url, headers }: FastifyRequest): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new Request(new URL(url, 'http://localhost'), { method, headers: pairs })
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
  const { id: memberId } = request.caller.user
  return new TusServer(request, {
    path: PATH,
    datastore: new UploadStore(ctx, request),
    // A line for each member: nobody can hold up somebody else's upload, whatever number they name.
    locker: { newLock: (id) => locker.newLock(`${memberId} ${id}`) },
    lockDrainTimeout: DRAIN_MS,
    relativeLocation: true,
    // Pages of other sites have no business here.
    allowedOrigins: () => false,
    // An upload's number is the one that `files/prepare` gave out.
    namingFunction: (_request, metadata) => metadata?.upload ?? '',
    onResponseError: (_request, error) => {
      const failure = failureOf(ctx, error)
      if (!failure) return undefined
      // A client of the protocol goes by the status: only 2xx means that bytes were taken.
      const status = statusOf(failure.failure)
      return { status_code: status < 400 ? 403 : status, body: envelope(failure, request.caller.language) }
    },
  })
}

class TusServer extends Server {
  private readonly request: UploadRequest

  constructor(request: UploadRequest, options: ConstructorParameters<typeof Server>[0]) {
    super(options)
    this.request = request
  }

  /** Whoever reads the body stops when its line breaks, or when the same client comes back elsewhere. */
  protected override createContext() {
    const context = super.createContext()
    this.request.signal = context.signal
    this.request.body.once('error', context.abort)
    return context
  }

  /** Failures are answered as everywhere: an envelope, as JSON. */
  override async write(...[context, headers, status, body]: Parameters<Server['write']>) {
    if (body?.startsWith('{')) headers.set('Content-Type', 'application/json; charset=utf-8')
    return super.write(context, headers, status, body)
  }
}

/** Null for the protocol's own refusals (wrong offset and the like), which carry their status. */
function failureOf(ctx: Context, error: unknown): Failure | null {
  if (error instanceof Failure) return error
  if (!(error instanceof Error)) return null
  if (isDiskFull(error)) {
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
