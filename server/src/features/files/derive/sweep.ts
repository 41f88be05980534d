import { dayMs } from '@neuroloom/contract/limits'
import { and, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { derivedImages, derivedSources } from './tables.ts'

/** Whatever made them has long used them by then. */
const KEEP_MS = dayMs

/** Forgets what nothing else keeps, when its sources are gone or nobody looked for it lately: then the bytes go too. */
export async function sweepDerived(ctx: Context): Promise<void> {
  const unused = ctx
    .told('bytesKept')
    .flat()
    .filter(({ table }) => table !== 'derived_images')
    .map(
      ({ table, column }): SQL =>
        sql`not exists (select 1 from ${sql.identifier(table)} where ${sql.identifier(column)} = ${derivedImages.sha256})`,
    )
  const before = new Date(ctx.now().getTime() - KEEP_MS)
  const isAlone = sql`not exists (select 1 from ${derivedSources} where ${derivedSources.key} = ${derivedImages.key})`
  const isOld = or(lt(derivedImages.usedAt, before), isAlone)
  await ctx.db.delete(derivedImages).where(and(isOld, ...unused))
}
