import { sharing as limits } from '@neuroloom/contract/limits'
import { lte } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { links } from './tables.ts'
import { sweepTries } from './tries.ts'

/** Deletes what has no effect any more: links that are over, and tries that no limit counts. */
export async function sweepSharing(ctx: Context): Promise<void> {
  await ctx.db.delete(links).where(lte(links.expiresAt, ctx.now()))
  await sweepTries(ctx, Math.max(limits.accountTriesMs, limits.linkTriesMs, limits.groupTriesMs))
}
