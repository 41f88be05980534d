import { client, flowLimits as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileName, sendBytes } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { type Holder, holderClaims, verifyLink } from '../accounts/access.ts'
import { sendWhile } from '../files/service.ts'
import { requireStudy } from './access.ts'
import type { FlowRow } from './tables.ts'

const PATH = '/AI/api/flow/values'

/** Address of a study's file as it is now: one that is made anew has another. */
export function valuesUrl(
  ctx: Context,
  holder: Holder,
  { id, sha256 }: { id: string; sha256: string },
): string {
  const claims = { kind: 'flow-values', id, sha256, ...holderClaims(holder) }
  return `${PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** Pages read hundreds of megabytes, a range at a time where they want. */
export function addValuesRoute(app: FastifyInstance, ctx: Context): void {
  const options = { handlerTimeout: client.downloadTimeoutMs }
  app.get(PATH, options, (request, reply) => sendValues(ctx, request, reply))
}

async function sendValues(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, userId, sha256 = '' } = await verifyLink(ctx, request.query, 'flow-values')
  const find = async (): Promise<FlowRow> => {
    const row = await requireStudy(ctx.db, { id, ownerId: userId })
    if (row.sha256 !== sha256 && row.interpolatedSha256 !== sha256) throw fail('study_missing')
    return row
  }
  // Looked at again now, and for as long as it is being sent.
  const { name } = await find()
  await sendWhile(ctx, reply, { ownerId: userId, check: find })
  const [blob] = await ctx.db.select().from(blobs).where(eq(blobs.sha256, sha256))
  if (!blob) throw fail('missing')
  const { sizeBytes } = blob
  const bytes = {
    ...{ sha256, sizeBytes, name: studyFileName(name), contentType: 'application/octet-stream' },
    // For the page that shows it, which may keep it: what lies at this address never changes.
    disposition: 'inline' as const,
  }
  return sendBytes(ctx.storage, bytes, { request, reply })
}

/** Under names of their own; none while it is not ready. */
export const studyFiles = ({
  name,
  sha256,
  interpolatedSha256,
}: Files): { name: string; sha256: string }[] => [
  ...(sha256 === null ? [] : [{ name: studyFileName(name), sha256 }]),
  ...(interpolatedSha256 === null
    ? []
    : [{ name: studyFileName(`${name} interpolated`), sha256: interpolatedSha256 }]),
]
type Files = Pick<FlowRow, 'name' | 'sha256' | 'interpolatedSha256'>

/** On a member's own disk. */
export const studyFileName = (name: string): string => `${fileName(name)}.safetensors`
