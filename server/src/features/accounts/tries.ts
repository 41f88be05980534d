/** What slows guessing: the slider's proof, and counts of tries by account and by address. */
import type { ChallengePurpose } from '@neuroloom/contract/accounts'
import { challenge as challengeLimits, passwordTries } from '@neuroloom/contract/limits'
import { and, count, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { acceptProof } from './challenge.ts'
import { sessions, signInTries } from './tables.ts'

/** Who is tried, as a keyed digest, and from where. */
export type Attempt = { accountMac: string; address: string }

/** The slider's proof, or one of the few tries that clients without it have. */
export async function requireProof(
  ctx: Context,
  { proof, purpose, ...attempt }: Attempt & { proof: string | undefined; purpose: ChallengePurpose },
): Promise<void> {
  if (proof !== undefined) {
    if (await acceptProof(ctx, proof, { purpose, address: attempt.address })) return
    throw fail('drag_required')
  }
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt)
    const since = new Date(ctx.now().getTime() - challengeLimits.unprovenWindowMs)
    const ofAccount = eq(signInTries.accountMac, attempt.accountMac)
    if ((await tries(tx, 'unproven', since, ofAccount)) >= challengeLimits.unprovenTries)
      throw fail('drag_required')
    await addTry(ctx, tx, 'unproven', attempt)
  })
}

/**
 * Counts a try before the password is looked at, so that parallel guesses cannot pass the limit together.
 * An address from which the owner signed in before has its own count: guessing elsewhere never locks the owner out.
 */
export async function countPasswordTry(
  ctx: Context,
  attempt: Attempt & { userId: string | null },
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt)
    const since = new Date(ctx.now().getTime() - passwordTries.windowMs)
    const known = await knownAddresses(tx, attempt.userId)
    const here = known.includes(attempt.address)
    const where = here
      ? eq(signInTries.address, attempt.address)
      : known.length > 0
        ? sql`not ${inArray(signInTries.address, known)}`
        : undefined
    const ofAccount = await tries(
      tx,
      'password',
      since,
      and(eq(signInTries.accountMac, attempt.accountMac), where),
    )
    const ofAddress = await tries(tx, 'password', since, eq(signInTries.address, attempt.address))
    if (ofAccount >= passwordTries.perAccount || ofAddress >= passwordTries.perAddress)
      throw fail('too_many_tries')
    return addTry(ctx, tx, 'password', attempt)
  })
}

const lockAccount = (tx: Tx, { accountMac }: Attempt) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${accountMac}`}, 0))`)

async function knownAddresses(tx: Tx, userId: string | null): Promise<string[]> {
  if (userId === null) return []
  const rows = await tx
    .selectDistinct({ address: sessions.address })
    .from(sessions)
    .where(eq(sessions.userId, userId))
  return rows.map((row) => row.address)
}

async function tries(
  tx: Tx,
  kind: 'password' | 'unproven',
  since: Date,
  where: SQL | undefined,
): Promise<number> {
  const [row] = await tx
    .select({ tries: count() })
    .from(signInTries)
    .where(and(eq(signInTries.kind, kind), gt(signInTries.at, since), where))
  return row?.tries ?? 0
}

async function addTry(
  ctx: Context,
  tx: Tx,
  kind: 'password' | 'unproven',
  attempt: Attempt,
): Promise<number> {
  const { accountMac, address } = attempt
  const [row] = await tx
    .insert(signInTries)
    .values({ accountMac, address, kind, at: ctx.now() })
    .returning({ id: signInTries.id })
  if (!row) throw new Error('An insert answered without its row')
  return row.id
}
