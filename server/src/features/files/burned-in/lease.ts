import { burnedIn as limits } from '@neuroloom/contract/limits'
import { and, eq, lt } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { leasesOf } from '../../../infra/lease.ts'
import { type ScanRow, textPictures, textScans } from './tables.ts'

export const leases = leasesOf({ table: 'text_scans', working: 'running', ...limits })

/** The work, if nobody else is at it. What an attempt that died had begun is to be done again. */
export async function claim(ctx: Context, id: string): Promise<ScanRow | null> {
  return ctx.db.transaction(async (tx) => {
    if (!(await leases.claim(tx, id, ctx.now()))) return null
    await tx
      .update(textPictures)
      .set({ state: 'waiting' })
      .where(and(eq(textPictures.scanId, id), eq(textPictures.state, 'running')))
    const [row] = await tx.select().from(textScans).where(eq(textScans.id, id))
    return row ?? null
  })
}

/** Queues what nobody works at any more. */
export async function recover(ctx: Context): Promise<void> {
  for (const id of await leases.free(ctx.db, ctx.now()))
    await ctx.jobs.send(null, 'files.texts', { scanId: id }, { singletonKey: id })
}

/** What ended long ago, with the texts that were read. */
export const forgetEnded = (ctx: Context) =>
  ctx.db.delete(textScans).where(lt(textScans.endedAt, new Date(ctx.now().getTime() - limits.keepMs)))
