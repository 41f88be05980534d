import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { requireFile } from './access.ts'

/** By what somebody sees a picture that is not their own; its address ends with the right to that. */
export type ShownBy = { as: string; id: string }

/** Refuses whoever may not look at it any more. */
type Require = (ctx: Context, user: { id: string }, id: string) => Promise<unknown>

declare module '../../infra/feature.ts' {
  interface Questions {
    /** By what pictures are shown; `as` stands in their addresses. */
    shownBy: { as: string; require: Require }
  }
}

/** By the file itself. */
export const shownByFile: { as: string; require: Require } = {
  as: 'file',
  require: (ctx, user, id) => requireFile(ctx.db, user, id, 'view'),
}

export async function requireShown(
  ctx: Context,
  user: { id: string },
  { as, id }: { as: string | undefined; id: string | undefined },
): Promise<void> {
  if (as === undefined || id === undefined) return
  const shown = ctx.told('shownBy').find((one) => one.as === as)
  if (!shown) throw fail('link_expired')
  await shown.require(ctx, user, id)
}
