import { createHash, randomBytes, randomInt } from 'node:crypto'
import { closingMs, session as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Caller, Guest, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Credentials } from '../../../http/gate.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { kept, type Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { addNotice } from '../../../infra/notices.ts'
import { levelAt } from '../level.ts'
import { hasSecondFactor } from '../second-factor/standing.ts'
import { liveTickets, type SessionRow, sessions, type UserRow, users } from '../tables.ts'

/** How often a used session is written down: finer than any limit needs. */
const USED_STEP_MS = 1000
/** 85 symbols that a header may hold unquoted: 128.2 bits in 20 characters. */
const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&*+-.^_`|~()/:<=>?@'

type Member = Pick<Caller, 'user' | 'sessionId' | 'secondFactorAt'>

export type Opened = { id: string; token: string; cookie: string | null }

/**
 * Opens a session and ends the account's others; parallel sign-ins queue at the user's row, the last one stays. Whoever
 * is thrown out by a sign-in finds it in the message box. An account with a second factor gets none without it, whichever
 * way leads here.
 */
export async function open(
  ctx: Context,
  tx: Tx,
  {
    userId,
    from: { address, agent, browser },
    ends = 'replaced',
    secondFactorAt = null,
  }: {
    userId: string
    from: Pick<Guest, 'address' | 'agent' | 'browser'>
    ends?: 'replaced' | 'signed_out'
    /** When the second factor was given. */
    secondFactorAt?: Date | null
  },
): Promise<Opened> {
  await lockMember(tx, userId)
  if (secondFactorAt === null && (await hasSecondFactor(tx, userId))) throw fail('not_allowed')
  const now = ctx.now()
  const ended = await end(ctx, tx, userId, ends)
  const isReplaced = ended.some(({ endReason, closingAt }) => endReason === 'replaced' && closingAt === null)
  if (isReplaced) await addNotice(ctx, tx, { userId, kind: 'signed_in_elsewhere', params: { address } })
  const id = newId()
  const token = Array.from({ length: limits.tokenLength }, () => symbols[randomInt(symbols.length)]).join('')
  const cookie = browser ? randomBytes(32).toString('base64url') : null
  await tx.insert(sessions).values({
    id,
    userId,
    tokenHash: digest(token),
    cookieHash: cookie === null ? null : digest(cookie),
    address,
    agent,
    startedAt: now,
    usedAt: now,
    secondFactorAt,
  })
  return { id, token, cookie }
}

/** The member's row as it is now, until the transaction ends; one who has gone meanwhile is not signed in. */
export async function lockMember(tx: Tx, userId: string): Promise<UserRow> {
  const [member] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.cancelledAt)))
    .for('update')
  if (!member) throw fail('not_signed_in')
  if (member.blockedAt) throw fail('account_blocked')
  return member
}

/** Ends an account's session and closes its live connections on every server. */
export async function end(
  ctx: Context,
  tx: Tx,
  userId: string,
  reason: 'replaced' | 'signed_out',
): Promise<Ended[]> {
  return endWhere(ctx, tx, { where: eq(sessions.userId, userId), reason })
}

/** Ends those of an account besides the one in hand. */
export async function endOthers(
  ctx: Context,
  tx: Tx,
  { user, sessionId }: Pick<Caller, 'user' | 'sessionId'>,
): Promise<void> {
  const where = and(eq(sessions.userId, user.id), ne(sessions.id, sessionId))
  await endWhere(ctx, tx, { where, reason: 'signed_out' })
}

/** Ends those that ran out or whose window was closed: one of them, or all there are. */
export async function endOver(ctx: Context, tx: Tx, sessionId?: string): Promise<void> {
  const { idle, closed } = overAt(ctx.now())
  const where = and(or(idle, closed), sessionId === undefined ? undefined : eq(sessions.id, sessionId))
  await endWhere(ctx, tx, { where, reason: 'expired' })
}

type Ended = Pick<SessionRow, 'id' | 'endReason' | 'closingAt'>

async function endWhere(
  ctx: Context,
  tx: Tx,
  { where, reason }: { where: SQL | undefined; reason: NonNullable<SessionRow['endReason']> },
): Promise<Ended[]> {
  const now = ctx.now()
  const { idle, closed } = overAt(now)
  const endReason = sql`case when ${closed} then 'signed_out' when ${idle} then 'expired' else ${reason} end`
  const ended = await tx
    .update(sessions)
    .set({ endedAt: now, endReason })
    .where(and(where, isNull(sessions.endedAt)))
    .returning({ id: sessions.id, endReason: sessions.endReason, closingAt: sessions.closingAt })
  for (const { id } of ended) await ctx.live.endSession(tx, id)
  return ended
}

/** Lets a request in by its token; the cookie of a browser's session alone never does. */
export async function enter(ctx: Context, credentials: Credentials): Promise<Member> {
  // A token that got away without its owner's id opens nothing, and nobody learns that it is one.
  if (credentials.userId === '') throw fail('not_signed_in')
  const [found] = await findByToken(ctx.db).execute({ tokenHash: digest(credentials.token) })
  if (!found) throw fail('not_signed_in')
  const { session, user } = found
  await refuseEnded(ctx, session)
  if (!cookieFits(session, credentials)) throw fail('not_signed_in')
  await refuseOtherUser(ctx, user, credentials)
  if (user.mustChangePassword && !credentials.beforePassword) throw fail('password_first')
  await markUsed(ctx, session, credentials)
  return { user: sessionUser(ctx, user), sessionId: session.id, secondFactorAt: session.secondFactorAt }
}

const findByToken = kept((db) =>
  db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, sql.placeholder('tokenHash')))
    .prepare('session_by_token'),
)

async function refuseEnded(ctx: Context, session: SessionRow): Promise<void> {
  const now = ctx.now()
  if (session.endedAt) {
    const recent = now.getTime() - session.endedAt.getTime() < limits.tombstoneMs
    throw fail(session.endReason === 'replaced' && recent ? 'session_replaced' : 'not_signed_in')
  }
  if (!isOver(session, now)) return
  await ctx.db.transaction((tx) => endOver(ctx, tx, session.id))
  throw fail('not_signed_in')
}

const cutoffs = (now: Date): { used: Date; started: Date; closing: Date } => ({
  used: new Date(now.getTime() - limits.idleMs),
  started: new Date(now.getTime() - limits.absoluteMs),
  closing: new Date(now.getTime() - closingMs),
})

function isOver({ usedAt, startedAt, closingAt }: SessionRow, now: Date): boolean {
  const { used, started, closing } = cutoffs(now)
  return usedAt < used || startedAt < started || (closingAt !== null && closingAt < closing)
}

/** The same, asked of the database. */
function overAt(now: Date): { idle: SQL | undefined; closed: SQL } {
  const { used, started, closing } = cutoffs(now)
  return {
    idle: or(lt(sessions.usedAt, used), lt(sessions.startedAt, started)),
    closed: lt(sessions.closingAt, closing),
  }
}

const cookieFits = ({ cookieHash }: SessionRow, { cookie }: Credentials): boolean =>
  cookieHash === null || (cookie !== undefined && digest(cookie).equals(cookieHash))

/** A caller that names somebody else is broken or hostile: refused and written down. */
async function refuseOtherUser(ctx: Context, user: UserRow, credentials: Credentials): Promise<void> {
  const claimed = [credentials.userId, credentials.userIdInBody]
  const other = claimed.find((id) => id !== undefined && id !== user.id)
  if (other === undefined) return
  const subject = `user:${other.slice(0, 40)}`
  await audit(ctx.db, { actor: user.id, action: 'session.other_user', subject, address: credentials.address })
  throw fail('not_allowed')
}

/** Whatever calls has a window open, so the session stays; only what people do keeps it from running out. */
async function markUsed(
  ctx: Context,
  { id, usedAt, closingAt }: SessionRow,
  { keepsSession }: Credentials,
): Promise<void> {
  const now = ctx.now()
  const isLater = keepsSession && now.getTime() - usedAt.getTime() >= USED_STEP_MS
  if (!isLater && closingAt === null) return
  const used = isLater ? { usedAt: now } : {}
  await ctx.db
    .update(sessions)
    .set({ ...used, closingAt: null })
    .where(eq(sessions.id, id))
}

const sessionUser = (ctx: Context, user: UserRow): SessionUser => {
  const { id, role, vipSuper, nickName, photo } = user
  return { id, role, vipLevel: levelAt(user, ctx.now()), vipSuper, nickName, photo }
}

/** A ticket that opens one live connection; the token itself never stands in an address. */
export async function ticket(ctx: Context, _body: unknown, caller: Caller): Promise<{ ticket: string }> {
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now().getTime() + limits.ticketMs)
  await ctx.db.insert(liveTickets).values({ hash: digest(secret), sessionId: caller.sessionId, expiresAt })
  return { ticket: secret }
}

/** Takes a ticket, once; null when it is none, used, too old or of an ended session. */
export async function redeemTicket(ctx: Context, secret: string): Promise<Member | null> {
  const [taken] = await ctx.db
    .delete(liveTickets)
    .where(and(eq(liveTickets.hash, digest(secret)), gt(liveTickets.expiresAt, ctx.now())))
    .returning({ sessionId: liveTickets.sessionId })
  const who = taken ? await findActive(ctx, taken.sessionId) : null
  // As every call does: the beacon of the window before may have come since its ticket was asked for.
  if (who) await ctx.db.update(sessions).set({ closingAt: null }).where(isClosing(who.sessionId))
  return who
}

const isClosing = (id: string): SQL | undefined => and(eq(sessions.id, id), isNotNull(sessions.closingAt))

/** The user of a session that still stands. */
export async function findActive(ctx: Context, sessionId: string): Promise<Member | null> {
  const [found] = await ctx.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
  if (!found || isOver(found.session, ctx.now()) || found.user.mustChangePassword) return null
  const { secondFactorAt } = found.session
  return { user: sessionUser(ctx, found.user), sessionId, secondFactorAt }
}

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
