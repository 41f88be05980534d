/** Browsers that are known again: whoever signed in from one meets no hurdle that guessing elsewhere has raised. */
import { createHash, randomBytes } from 'node:crypto'
import { knownDevice as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, lt, ne } from 'drizzle-orm'
import type { Guest } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { knownDevices } from '../tables.ts'

type From = Pick<Guest, 'device'>

/** A name of the device for counting, once this account was signed in to from it; else null. */
export async function findDevice(
  ctx: Context,
  userId: string | null,
  { device }: From,
): Promise<string | null> {
  if (device === '') return null
  const hash = digest(device)
  const since = new Date(ctx.now().getTime() - limits.keepMs)
  // Asked for nobody as well, so that it takes as long.
  const known = and(
    eq(knownDevices.userId, userId ?? ''),
    eq(knownDevices.hash, hash),
    gt(knownDevices.usedAt, since),
  )
  return (await ctx.db.$count(knownDevices, known)) === 1 ? hash.toString('base64url') : null
}

/** The secret by which the browser is known from now on: one for everybody who signs in there. */
export async function keepDevice(
  ctx: Context,
  db: Db,
  { userId, guest, secondFactorAt = null }: { userId: string; guest: From; secondFactorAt?: Date | null },
): Promise<string> {
  const secret = /^[\w-]{43}$/.test(guest.device) ? guest.device : randomBytes(32).toString('base64url')
  const usedAt = ctx.now()
  await db
    .insert(knownDevices)
    .values({ userId, hash: digest(secret), usedAt, secondFactorAt })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.hash], set: { usedAt, secondFactorAt } })
  return secret
}

/** When the second factor was last given in this browser; null where never, or where it is not known. */
export async function secondFactorIn(db: Db, userId: string, { device }: From): Promise<Date | null> {
  if (device === '') return null
  const [known] = await db
    .select({ at: knownDevices.secondFactorAt })
    .from(knownDevices)
    .where(isDevice(userId, device))
  return known?.at ?? null
}

export const markSecondFactor = (db: Db, userId: string, { device }: From, secondFactorAt: Date) =>
  db.update(knownDevices).set({ secondFactorAt }).where(isDevice(userId, device))

/** After a new password only the browser in hand is known. */
export const forgetDevices = (db: Db, userId: string, { device }: From = { device: '' }) =>
  db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), ne(knownDevices.hash, digest(device))))

export const sweepDevices = (db: Db, now: Date) =>
  db.delete(knownDevices).where(lt(knownDevices.usedAt, new Date(now.getTime() - limits.keepMs)))

const isDevice = (userId: string, device: string) =>
  and(eq(knownDevices.userId, userId), eq(knownDevices.hash, digest(device)))

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
