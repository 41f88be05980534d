import { and, eq, isNull } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import * as plans from '../plans/service.ts'
import { files } from './tables.ts'

/** How many further folders fit at the top; one call may bring several. */
export async function requireRoomAtTop(
  ctx: Context,
  tx: Tx,
  {
    caller,
    folders,
  }: { caller: { user: Pick<SessionUser, 'id' | 'vipLevel' | 'vipSuper'> }; folders: number },
): Promise<void> {
  const limit = plans.limitsOf(ctx, caller.user).topFolders
  if (limit === null) return
  if ((await countAtTop(tx, caller.user.id)) + folders > limit) throw fail('plan_limit', { limit })
}

/** Folders at the top of a member's cloud. */
export const countAtTop = (db: Db, ownerId: string): Promise<number> =>
  db.$count(
    files,
    and(
      eq(files.ownerId, ownerId),
      isNull(files.parentId),
      eq(files.kind, 'folder'),
      isNull(files.recycledAt),
    ),
  )
