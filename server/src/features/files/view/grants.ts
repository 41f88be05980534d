/** Looking at a file that somebody is shown, without a right to the file itself: no listing, no download, no link. */
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { type Eyes, requireFile } from '../access.ts'
import { namingNobody } from '../patients/patients.ts'

/** By what somebody is shown a file: its kind, and which one. */
export type ShownThrough = { as: string; of: string }
/** The files that are shown, and whose they are. */
export type ViewGrant = { ownerId: string; fileIds: readonly string[] }

declare module '../../../infra/feature.ts' {
  interface Questions {
    /** By kind of what files are shown through: refuses whoever may not look at them any more. Asked at each request. */
    grantsView: {
      readonly [as: string]: (ctx: Context, user: { id: string }, of: string) => Promise<ViewGrant>
    }
  }
}

/** What names its patient, or may, is never seen this way. */
export function grantedEyes(ctx: Context, { userId, as, of }: ShownThrough & { userId: string }): Eyes {
  return {
    async find(id) {
      const { ownerId, fileIds } = await requireGrant(ctx, userId, { as, of })
      if (!fileIds.includes(id)) throw fail('missing')
      const file = await requireFile(ctx.db, { id: ownerId }, id)
      if (!(await namingNobody(ctx.db, [id])).has(id)) throw fail('missing')
      return { ...file, access: 'view' }
    },
    // The second file of an image, and the other slices of a series.
    among: (_, ids) => namingNobody(ctx.db, ids),
  }
}

async function requireGrant(ctx: Context, userId: string, { as, of }: ShownThrough): Promise<ViewGrant> {
  for (const grants of ctx.told('grantsView')) {
    const grant = Object.hasOwn(grants, as) ? grants[as] : undefined
    if (grant) return grant(ctx, { id: userId }, of)
  }
  throw fail('missing')
}
