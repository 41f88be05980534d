import { createHash, randomBytes, randomInt } from 'node:crypto'
import { session as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Credentials, Gate } from '../../http/gate.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { liveTickets, type SessionRow, sessions, type UserRow, users } from './tables.ts'

/** How often a used session is written down: finer than any limit needs. */
const USED_STEP_MS = 1000
/** 85 symbols that a header may hold unquoted: 128.2 bits in 20 characters. */
const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&*+-.^_`|~()/:<=>?@'

/** Opens a session and ends the account's others; parallel sign-ins queue at the user's row, the last one stays. */
export async function open(
  ctx: Context,
  tx: Tx,
  { userId, address, browser }: { userId: string; address: string; browser: boolean },
): Promise<{ token: string; cookie: string | null }> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const now = ctx.now()
  await end(ctx, tx, userId, 'replaced')
  const token = Array.from({ length: limits.tokenLength }, () => symbols[randomInt(symbols.length)]).join('')
  const cookie = browser ? randomBytes(32).toString('base64url') : null
  await tx.insert(sessions).values({
    id: newId(),
    userId,
    tokenHash: digest(token),
    cookieHash: cookie === null ? null : digest(cookie),
    address,
    startedAt: now,
    usedAt: now,
  })
  return { token, cookie }
}

/** Ends an account's session and closes its live connections on every server. */
export async function end(
  ctx: Context,
  tx: Tx,
  userId: string,
  reason: 'replaced' | 'signed_out',
): Promise<void> {
  const now = ctx.now()
  const limit = cutoffs(now)
  const over = or(lt(sessions.usedAt, limit.used), lt(sessions.startedAt, limit.started))
  const ended = await tx
    .update(sessions)
    .set({ endedAt: now, endReason: sql`case when ${over} then 'expired' else ${reason} end` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
    .returning({ id: sessions.id })
  for (const { id } of ended) await ctx.live.endSession(tx, id)
}

/** Lets a request in by its token; the cookie of a browser's session alone never does. */
export const gate: Gate = async (ctx, credentials) => {
  const [found] = await ctx.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, digest(credentials.token)))
  if (!found) throw fail('not_signed_in')
  const { session, user } = found
  await refuseEnded(ctx, session)
  if (!cookieFits(session, credentials)) throw fail('not_signed_in')
  await refuseOtherUser(ctx, user, credentials)
  if (credentials.keepsSession) await markUsed(ctx, session)
  return { user: sessionUser(user), sessionId: session.id }
}

async function refuseEnded(ctx: Context, session: SessionRow): Promise<void> {
  const now = ctx.now()
  if (session.endedAt) {
    const recent = now.getTime() - session.endedAt.getTime() < limits.tombstoneMs
    throw fail(session.endReason === 'replaced' && recent ? 'session_replaced' : 'not_signed_in')
  }
  if (!isOver(session, now)) return
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(sessions)
      .set({ endedAt: now, endReason: 'expired' })
      .where(and(eq(sessions.id, session.id), isNull(sessions.endedAt)))
    await ctx.live.endSession(tx, session.id)
  })
  throw fail('not_signed_in')
}

const cutoffs = (now: Date): { used: Date; started: Date } => ({
  used: new Date(now.getTime() - limits.idleMs),
  started: new Date(now.getTime() - limits.absoluteMs),
})

const isOver = ({ usedAt, startedAt }: SessionRow, now: Date): boolean =>
  usedAt < cutoffs(now).used || startedAt < cutoffs(now).started

const cookieFits = ({ cookieHash }: SessionRow, { cookie }: Credentials): boolean =>
  cookieHash === null || (cookie !== undefined && digest(cookie).equals(cookieHash))

/** A caller that names somebody else is broken or hostile: refused and written down. */
async function refuseOtherUser(ctx: Context, user: UserRow, credentials: Credentials): Promise<void> {
  const other = credentials.claimedUserIds.find((id) => id !== user.id)
  if (other === undefined) return
  const subject = `user:${other.slice(0, 40)}`
  await audit(ctx.db, { actor: user.id, action: 'session.other_user', subject, address: credentials.address })
  throw fail('not_allowed')
}

async function markUsed(ctx: Context, session: SessionRow): Promise<void> {
  const now = ctx.now()
  if (now.getTime() - session.usedAt.getTime() < USED_STEP_MS) return
  await ctx.db.update(sessions).set({ usedAt: now }).where(eq(sessions.id, session.id))
}

const sessionUser = ({ id, role, vipLevel, vipSuper, nickName }: UserRow) => ({
  id,
  role,
  vipLevel,
  vipSuper,
  nickName,
})

/** A ticket that opens one live connection; the token itself never stands in an address. */
export async function ticket(ctx: Context, _body: unknown, caller: Caller): Promise<{ ticket: string }> {
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now().getTime() + limits.ticketMs)
  await ctx.db.insert(liveTickets).values({ hash: digest(secret), sessionId: caller.sessionId, expiresAt })
  return { ticket: secret }
}

/** Takes a ticket, once; null when it is none, used, too old or of an ended session. */
export async function redeemTicket(
  ctx: Context,
  secret: string,
): Promise<Pick<Caller, 'user' | 'sessionId'> | null> {
  const [taken] = await ctx.db
    .delete(liveTickets)
    .where(and(eq(liveTickets.hash, digest(secret)), gt(liveTickets.expiresAt, ctx.now())))
    .returning({ sessionId: liveTickets.sessionId })
  return taken ? findActive(ctx, taken.sessionId) : null
}

/** The user of a session that still stands. */
export async function findActive(
  ctx: Context,
  sessionId: string,
): Promise<Pick<Caller, 'user' | 'sessionId'> | null> {
  const [found] = await ctx.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
  if (!found || isOver(found.session, ctx.now())) return null
  return { user: sessionUser(found.user), sessionId }
}

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
