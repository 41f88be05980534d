/** What slows guessing and locks nobody out: the slider's proof, harder puzzles and longer waits where it goes on. */
import { isIPv6 } from 'node:net'
import type { ChallengePurpose } from '@neuroloom/contract/accounts/accounts'
import {
  challenge as challengeLimits,
  secondFactor as codeLimits,
  passwordTries as limits,
} from '@neuroloom/contract/limits'
import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { signInTries } from '../tables.ts'
import { acceptProof } from './challenge.ts'
import { inTurn } from './turns.ts'

/** Who is tried, as a keyed digest, and from where. */
export type Attempt = {
  accountMac: string
  address: string
  /** Of a browser that the account is known by: then that is the place. */
  device?: string | null
}
type Kind = (typeof signInTries.$inferInsert)['kind']

/** The slider's proof, or one of the few tries that clients without it have. */
export async function requireProof(
  ctx: Context,
  { proof, purpose, ...attempt }: Attempt & { proof: string | undefined; purpose: ChallengePurpose },
): Promise<void> {
  if (proof === undefined) {
    await ctx.db.transaction((tx) => countUnproven(ctx, tx, attempt))
  } else if ((await acceptProof(ctx, proof, { purpose, address: attempt.address })) === null) {
    throw fail('drag_required')
  }
}

/**
 * Looks at the password of a sign-in when it is its turn. It is counted before that, in case the server ends meanwhile;
 * who was right, or whose password could not be looked at, takes it back.
 */
export async function tryPassword(
  ctx: Context,
  { proof, ...attempt }: Attempt & { proof: string | undefined },
  matches: () => Promise<boolean>,
): Promise<boolean> {
  await prove(ctx, attempt, proof)
  const gapOf = async () => (await heatOf(ctx, attempt)).gapMs
  return inTurn(`${attempt.accountMac} ${placeOf(attempt)}`, gapOf, async () => {
    const id = await addTry(ctx, ctx.db, attempt, kindOf(attempt))
    let isWrong = false
    try {
      isWrong = !(await matches())
    } finally {
      if (!isWrong) await forgetTry(ctx.db, id)
    }
    return !isWrong
  })
}

/** A proof of a puzzle as hard as it has to be now; without one, only where nobody guesses. */
async function prove(ctx: Context, attempt: Attempt, proof: string | undefined): Promise<void> {
  const { maxNumber } = await heatOf(ctx, attempt)
  if (proof === undefined) {
    if (maxNumber > challengeLimits.maxNumber) throw fail('drag_required')
    return ctx.db.transaction((tx) => countUnproven(ctx, tx, attempt))
  }
  const proven = await acceptProof(ctx, proof, { purpose: 'login', address: attempt.address })
  if (proven === null) throw fail('drag_required')
  if (proven < maxNumber) throw fail('drag_again')
}

/** The password once more, asked of somebody who is signed in. What others guess does not count here. */
export async function countAgain(ctx: Context, attempt: Attempt): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt)
    const { account } = await triesOf(ctx, tx, attempt, { kind: 'again', windowMs: limits.windowMs })
    if (account >= limits.again) throw fail('too_many_tries')
    return addTry(ctx, tx, attempt, 'again')
  })
}

/** A code of the second factor, before it is looked at. Only who gave the right password comes this far. */
export async function countCode(ctx: Context, attempt: Attempt): Promise<number> {
  const kind = attempt.device ? 'device_code' : 'code'
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt)
    await lockPlace(tx, attempt)
    const { here, account, place } = await triesOf(ctx, tx, attempt, { kind, windowMs: codeLimits.triesMs })
    const isOver = attempt.device
      ? here >= codeLimits.tries.device
      : account >= codeLimits.tries.account || place >= codeLimits.triesPerPlace
    if (isOver) throw fail('second_factor_tries')
    return addTry(ctx, tx, attempt, kind)
  })
}

export const forgetTry = (db: Db | Tx, id: number) => db.delete(signInTries).where(eq(signInTries.id, id))

/** What guessing has made of a sign-in: how large its puzzle is, and how long after it the next one waits. */
type Heat = { maxNumber: number; gapMs: number }

/** A known device is measured by what was tried on it alone. Accounts that do not exist heat up like others. */
export async function heatOf(ctx: Context, attempt: Attempt): Promise<Heat> {
  const window = { kind: kindOf(attempt), windowMs: limits.windowMs }
  const { here, account, place } = await triesOf(ctx, ctx.db, attempt, window)
  const { free } = limits
  const wrong = [stepsOf(here, free.here)]
  if (!attempt.device) wrong.push(stepsOf(account, free.account), stepsOf(place, free.place))
  const steps = Math.min(Math.max(...wrong), limits.puzzleSteps)
  const doublings = Math.min(steps, limits.gapSteps) - 1
  return {
    maxNumber: challengeLimits.maxNumber * 2 ** steps,
    gapMs: steps === 0 ? 0 : limits.gapMs * 2 ** doublings,
  }
}

const kindOf = ({ device }: Attempt): Kind => (device ? 'device' : 'password')

/** One more with each doubling. */
const stepsOf = (tries: number, free: number): number =>
  tries < free ? 0 : 1 + Math.floor(Math.log2(tries / free))

async function countUnproven(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  await lockPlace(tx, attempt)
  const window = { kind: 'unproven', windowMs: challengeLimits.unprovenWindowMs } as const
  const { here, place } = await triesOf(ctx, tx, attempt, window)
  if (here >= challengeLimits.unprovenTries || place >= challengeLimits.unprovenPerPlace)
    throw fail('drag_required')
  await addTry(ctx, tx, attempt, 'unproven')
}

const lockAccount = (tx: Tx, { accountMac }: Attempt) => lock(tx, `sign-in ${accountMac}`)
const lockPlace = (tx: Tx, attempt: Attempt) => lock(tx, `sign-in from ${placeOf(attempt)}`)
const lock = (tx: Tx, name: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)

function placeOf({ address, device }: Attempt): string {
  if (device) return `device ${device}`
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  return isIPv6(plain) ? groupsOf(plain).slice(0, 4).join(':') : plain
}

function groupsOf(address: string): string[] {
  const [left = [], right] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  if (right === undefined) return left
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

type Window = { kind: Kind; windowMs: number }

async function triesOf(
  ctx: Context,
  db: Db | Tx,
  attempt: Attempt,
  { kind, windowMs }: Window,
): Promise<{ here: number; account: number; place: number }> {
  const ofAccount = eq(signInTries.accountMac, attempt.accountMac)
  const ofPlace = eq(signInTries.place, placeOf(attempt))
  const since = gt(signInTries.at, new Date(ctx.now().getTime() - windowMs))
  const counted = (where: SQL | undefined) => sql`count(*) filter (where ${where})`.mapWith(Number)
  const [row] = await db
    .select({ here: counted(and(ofAccount, ofPlace)), account: counted(ofAccount), place: counted(ofPlace) })
    .from(signInTries)
    .where(and(eq(signInTries.kind, kind), since, or(ofAccount, ofPlace)))
  return row ?? { here: 0, account: 0, place: 0 }
}

async function addTry(ctx: Context, db: Db | Tx, attempt: Attempt, kind: Kind): Promise<number> {
  const { accountMac } = attempt
  const [row] = await db
    .insert(signInTries)
    .values({ accountMac, place: placeOf(attempt), kind, at: ctx.now() })
    .returning({ id: signInTries.id })
  if (!row) throw new Error('An insert answered without its row')
  return row.id
}
