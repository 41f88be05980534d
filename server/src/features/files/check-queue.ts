import { files as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { isWorthALook } from './pictures.ts'
import { files } from './tables.ts'

/** Hundreds of files arrive a second apart at most: one job for all of them, and none inside their transactions. */
const GATHER_MS = 2000
const gathering = new Set<string>()

/** Has a member's new pictures looked at soon. Should this process end before, `queueForgotten` does it later. */
export function queueCheck(ctx: Context, userId: string): void {
  if (gathering.has(userId)) return
  gathering.add(userId)
  const timer = setTimeout(() => {
    gathering.delete(userId)
    if (ctx.pool.ended) return
    send(ctx, userId).catch((error: unknown) => ctx.log.warn({ err: error }, 'a check was not queued'))
  }, GATHER_MS)
  timer.unref()
}

/** Queues checks for pictures of the last two hours that nobody has looked at. */
export async function queueForgotten(ctx: Context): Promise<void> {
  const since = new Date(ctx.now().getTime() - 12 * limits.orphanMs)
  const found = await ctx.db
    .selectDistinct({ ownerId: files.ownerId, name: files.searchName, hint: blobs.patientHint })
    .from(files)
    .innerJoin(blobs, eq(blobs.sha256, files.sha256))
    .where(and(isNull(blobs.checkedAt), gt(blobs.createdAt, since)))
  const owners = new Set(
    found.filter(({ name, hint }) => isWorthALook(name, hint)).map(({ ownerId }) => ownerId),
  )
  for (const ownerId of owners) await send(ctx, ownerId)
}

const send = (ctx: Context, userId: string): Promise<void> =>
  ctx.jobs.send(null, 'files.check', { userId, fileIds: [] }, { singletonKey: userId })
