/** Sign-ins between their two steps. */
import { createHash, randomBytes } from 'node:crypto'
import { secondFactor as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, lt, or, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { secondFactorTickets, type UserRow } from '../tables.ts'

/** What was given in the first step: the password, or the key of a link and who made that. */
export type FirstStep = { by: 'password' } | { by: 'key'; madeBy: string | null }

export async function makeTicket(
  ctx: Context,
  tx: Tx,
  { id: userId, passwordHash }: UserRow,
  first: FirstStep,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await tx.insert(secondFactorTickets).values({
    hash: digest(secret),
    userId,
    passwordDigest: first.by === 'password' ? digest(passwordHash) : null,
    madeBy: first.by === 'key' ? first.madeBy : null,
    expiresAt: new Date(ctx.now().getTime() + limits.ticketMs),
  })
  return secret
}

/** Counts a try of the ticket; null when it is none, used, too old, or was tried too often. */
export async function tryTicket(ctx: Context, secret: string): Promise<{ userId: string } | null> {
  const isGood = and(
    eq(secondFactorTickets.hash, digest(secret)),
    gt(secondFactorTickets.expiresAt, ctx.now()),
    lt(secondFactorTickets.tries, limits.ticketTries),
  )
  const [tried] = await ctx.db
    .update(secondFactorTickets)
    .set({ tries: sql`${secondFactorTickets.tries} + 1` })
    .where(isGood)
    .returning({ userId: secondFactorTickets.userId })
  return tried ?? null
}

/** Uses it up; null when it is gone, or when the password has changed since the first step. */
export async function takeTicket(
  tx: Tx,
  secret: string,
  { passwordHash }: UserRow,
): Promise<FirstStep | null> {
  const [taken] = await tx
    .delete(secondFactorTickets)
    .where(eq(secondFactorTickets.hash, digest(secret)))
    .returning()
  if (!taken) return null
  if (taken.passwordDigest === null) return { by: 'key', madeBy: taken.madeBy }
  return taken.passwordDigest.equals(digest(passwordHash)) ? { by: 'password' } : null
}

/** Sign-ins of a member, and those that the member's links began. */
export const forgetTickets = (tx: Tx, userId: string) =>
  tx
    .delete(secondFactorTickets)
    .where(or(eq(secondFactorTickets.userId, userId), eq(secondFactorTickets.madeBy, userId)))

export const sweepTickets = (db: Db, now: Date) =>
  db.delete(secondFactorTickets).where(lt(secondFactorTickets.expiresAt, now))

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
