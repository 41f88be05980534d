import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../infra/db.ts'
import { type UserRow, users } from '../accounts/tables.ts'

/** The member's row, locked: whoever changes a level or an order takes it first. Null where the account is closed. */
export async function lockMember(tx: Tx, userId: string): Promise<UserRow | null> {
  const [member] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.cancelledAt)))
    .for('no key update')
  return member ?? null
}
