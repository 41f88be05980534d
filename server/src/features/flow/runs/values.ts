import { client, flowLimits as limits } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendBytes } from '../../../http/bytes.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import { type Holder, holderClaims, verifyLink } from '../../accounts/access.ts'
import { sendWhile } from '../../files/service.ts'
import { requireRun, type SeenRun } from '../../runs/access.ts'
import { runArtifacts } from '../../runs/tables.ts'
import { flowFigures, runFlow } from './tables.ts'

const PATH = '/AI/api/flow/run-values'

/** Of bytes that belong to a flow run: what it read, what it made, a picture of it. */
export function runBytesUrl(
  ctx: Context,
  holder: Holder,
  { id, sha256 }: { id: string; sha256: string },
): string {
  const claims = { kind: 'flow-run-values', id, sha256, ...holderClaims(holder) }
  return `${PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** Pages read hundreds of megabytes, a range at a time where they want. */
export function addRunValuesRoute(app: FastifyInstance, ctx: Context): void {
  const options = { handlerTimeout: client.downloadTimeoutMs }
  app.get(PATH, options, (request, reply) => send(ctx, request, reply))
}

async function send(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, userId, sha256 = '' } = await verifyLink(ctx, request.query, 'flow-run-values')
  const find = async (): Promise<{ run: SeenRun; kind: Kind }> => {
    const run = await requireRun(ctx.db, { id: userId }, id, 'view')
    const kind = await kindOf(ctx, id, sha256)
    if (kind === null) throw fail('missing')
    return { run, kind }
  }
  // Looked at again now, and for as long as it is being sent.
  const { run, kind } = await find()
  await sendWhile(ctx, reply, { ownerId: run.userId, check: find })
  const [blob] = await ctx.db.select().from(blobs).where(eq(blobs.sha256, sha256))
  if (!blob) throw fail('missing')
  const bytes = {
    ...{ sha256, sizeBytes: blob.sizeBytes, ...shown[kind] },
    // For the page that shows it, which may keep it: what lies at this address never changes.
    disposition: 'inline' as const,
  }
  return sendBytes(ctx.storage, bytes, { request, reply })
}

type Kind = keyof typeof shown
const shown = {
  figure: { name: 'figure.png', contentType: 'image/png' },
  values: { name: 'values.safetensors', contentType: 'application/octet-stream' },
} as const

/** Null where the run has nothing to do with these bytes, or no longer. */
async function kindOf({ db }: Context, runId: string, sha256: string): Promise<Kind | null> {
  const isFigure = and(eq(flowFigures.runId, runId), eq(flowFigures.sha256, sha256))
  if ((await db.$count(flowFigures, isFigure)) > 0) return 'figure'
  const isRead = and(eq(runFlow.runId, runId), eq(runFlow.studySha256, sha256))
  const isMade = and(eq(runArtifacts.runId, runId), eq(runArtifacts.sha256, sha256))
  const [read, made] = [await db.$count(runFlow, isRead), await db.$count(runArtifacts, isMade)]
  return read + made > 0 ? 'values' : null
}
