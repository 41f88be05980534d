import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { knownDevices, secondFactors, sessions } from '../tables.ts'

/** Whether the account asks for a second factor; one that was never confirmed counts for nothing. */
export const hasSecondFactor = async (db: Db, userId: string): Promise<boolean> =>
  (await db.$count(
    secondFactors,
    and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)),
  )) === 1

/** Whoever turns it on again gives it anew, everywhere. False where there was none. */
export async function removeSecondFactor(db: Db, userId: string): Promise<boolean> {
  const wasOn = await hasSecondFactor(db, userId)
  // Its recovery codes, and sign-ins that wait for it, go with it.
  await db.delete(secondFactors).where(eq(secondFactors.userId, userId))
  await db.update(sessions).set({ secondFactorAt: null }).where(eq(sessions.userId, userId))
  await db.update(knownDevices).set({ secondFactorAt: null }).where(eq(knownDevices.userId, userId))
  return wasOn
}
