import { Failure, fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { accessTo, type Eyes, requireFile } from '../access.ts'
import { requireLink, requireLinked, seenThrough } from '../share-links/pass.ts'
import { grantedEyes, type ShownThrough } from './grants.ts'

/** Who looks, as a job can be told. */
export type Looker = { userId: string } | ({ userId: string } & ShownThrough) | { linkId: string }

export function eyesOf(ctx: Context, who: Looker): Eyes {
  if ('linkId' in who) return linkEyes(ctx, who.linkId)
  return 'as' in who ? grantedEyes(ctx, who) : memberEyes(ctx.db, who.userId)
}

export const memberEyes = (db: Db, userId: string): Eyes => ({
  find: (id) => requireFile(db, { id: userId }, id, 'view'),
  // What lies beside an own file is one's own; of others' a single one may be shared.
  among: async ({ ownerId }, ids) =>
    new Set(ownerId === userId ? ids : (await accessTo(db, { id: userId }, ids)).keys()),
})

export const linkEyes = (ctx: Context, linkId: string): Eyes => ({
  async find(id) {
    const { entry } = await requireLinked(ctx, await requireLink(ctx, linkId), id)
    const { sha256 } = entry
    if (sha256 === null) throw fail('missing')
    return { ...entry, sha256, access: 'view' }
  },
  async among({ id }, ids) {
    const open = await requireLink(ctx, linkId)
    // A link to one file shows that alone.
    return seenThrough(ctx, open, open.entry.kind === 'file' ? ids.filter((one) => one === id) : ids)
  },
})

/** Whether the file is there for whoever looks, wherever it lies. */
export async function isSeen(eyes: Eyes, id: string): Promise<boolean> {
  try {
    await eyes.find(id)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
