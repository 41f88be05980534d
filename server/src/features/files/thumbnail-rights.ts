import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { requireFile } from './access.ts'

/** By what somebody sees a picture that is not their own; its address ends with the right to that. */
export type ShownBy = { as: string; id: string }

/** Refuses whoever may not look at it any more. */
type Require = (ctx: Context, user: { id: string }, id: string) => Promise<unknown>

const rights = new Map<string, Require>([['file', (ctx, user, id) => requireFile(ctx.db, user, id, 'view')]])

/** Features to the right show pictures too; `as` tells them apart. */
export function registerShownBy(as: string, require: Require): void {
  rights.set(as, require)
}

export async function requireShown(
  ctx: Context,
  user: { id: string },
  { as, id }: { as: string | undefined; id: string | undefined },
): Promise<void> {
  if (as === undefined || id === undefined) return
  const require = rights.get(as)
  if (!require) throw fail('link_expired')
  await require(ctx, user, id)
}
