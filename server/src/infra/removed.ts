/**
 * What machines keep of bytes beside the store (a cache of S3, thumbnails) goes when the bytes go, on every machine: at
 * once by a notice, or when a machine that missed it listens again.
 */
import { rm } from 'node:fs/promises'
import { inArray } from 'drizzle-orm'
import type { Context } from './context.ts'
import { blobs, REMOVED, thumbnailPath } from './storage/blobs.ts'

type Keeping = Pick<Context, 'config' | 'db' | 'listener' | 'log' | 'storage'>

const LOOKED_UP_AT_ONCE = 1000

/** Once a machine. */
export function forgetRemoved(ctx: Keeping): void {
  const say = (error: unknown): void =>
    ctx.log.warn({ err: error }, 'what was kept of removed bytes stays for now')
  ctx.listener.on(
    REMOVED,
    (sha256) => void forget(ctx, sha256).catch(say),
    () => void forgetStrangers(ctx).catch(say),
  )
}

async function forget({ config, storage }: Keeping, sha256: string): Promise<void> {
  await storage.forget(sha256)
  await rm(thumbnailPath(config.dataDir, sha256), { force: true })
}

/** Bytes on their way in have no row yet: they are fetched again when they are asked for. */
async function forgetStrangers(ctx: Keeping): Promise<void> {
  const kept = await ctx.storage.kept()
  for (let start = 0; start < kept.length; start += LOOKED_UP_AT_ONCE) {
    const some = kept.slice(start, start + LOOKED_UP_AT_ONCE)
    const rows = await ctx.db.select({ sha256: blobs.sha256 }).from(blobs).where(inArray(blobs.sha256, some))
    const known = new Set(rows.map(({ sha256 }) => sha256))
    for (const sha256 of some) if (!known.has(sha256)) await forget(ctx, sha256)
  }
}
