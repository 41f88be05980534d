import { and, eq } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Db } from '../../../infra/db.ts'
import { type GroupRow, groupMembers, groups } from '../sharing/tables.ts'

type Member = Pick<SessionUser, 'id'>
/** `update`: nobody joins, leaves or gives meanwhile; `share`: it stays as it is meanwhile. */
type Lock = 'update' | 'share'

/** The group, if the caller is a member; for everybody else it does not exist. */
export async function requireGroup(db: Db, user: Member, groupId: string, lock?: Lock): Promise<GroupRow> {
  // The lock first: who is a member is then as it stays.
  const query = db.select().from(groups).where(eq(groups.id, groupId))
  const [group] = await (lock ? query.for(lock) : query)
  const membership = and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, user.id))
  if (!group || (await db.$count(groupMembers, membership)) === 0) throw fail('group_missing')
  return group
}

export async function requireGroupOwner(
  db: Db,
  user: Member,
  groupId: string,
  lock?: Lock,
): Promise<GroupRow> {
  const group = await requireGroup(db, user, groupId, lock)
  if (group.ownerId !== user.id) throw fail('not_allowed')
  return group
}
