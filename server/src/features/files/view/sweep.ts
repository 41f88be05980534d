import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { files, viewing as limits } from '@neuroloom/contract/limits'
import { inArray, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { readerFolder, viewFolder } from './folders.ts'
import { viewSources, views } from './tables.ts'

/** Forgets views whose bytes are gone or that nobody looks at, and deletes what no row knows. */
export async function sweepViews(ctx: Context): Promise<void> {
  const now = ctx.now().getTime()
  await ctx.db.delete(views).where(
    sql`${lt(views.usedAt, new Date(now - limits.keepMs))}
      or not exists (select 1 from ${viewSources} where ${viewSources.key} = ${views.key})`,
  )
  for (const part of await readdir(viewFolder(ctx)).catch(() => []))
    await sweepPart(ctx, join(viewFolder(ctx), part))
  // Work of a program that was killed together with whoever started it.
  for (const name of await readdir(readerFolder(ctx)).catch(() => [])) {
    const path = join(readerFolder(ctx), name)
    if (await isOlder(path, now - 2 * limits.readMs)) await rm(path, { recursive: true, force: true })
  }
}

async function sweepPart(ctx: Context, folder: string): Promise<void> {
  const keys = await readdir(folder)
  if (keys.length === 0) return
  const rows = await ctx.db.select({ key: views.key }).from(views).where(inArray(views.key, keys))
  const known = new Set(rows.map(({ key }) => key))
  for (const key of keys.filter((one) => !known.has(one))) {
    const path = join(folder, key)
    // Its row may be written in a moment.
    if (await isOlder(path, ctx.now().getTime() - files.orphanMs))
      await rm(path, { recursive: true, force: true })
  }
}

const isOlder = async (path: string, time: number): Promise<boolean> => {
  const found = await stat(path).catch(() => null)
  return found !== null && found.mtimeMs < time
}
