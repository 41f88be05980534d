/** Friend requests: sent, answered, and what becomes of two who ask each other. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { Application, Relation } from '@neuroloom/contract/social/people'
import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { addNotice } from '../../../infra/notices.ts'
import { users } from '../../accounts/tables.ts'
import { requirePace } from '../moderation/rate.ts'
import { cleanText } from '../text.ts'
import { befriend, lockPair } from './friends.ts'
import { relationOf, requireOther } from './members.ts'
import { areFriends, personsOf } from './relations.ts'
import { isRefusedStill, readsAsSent } from './request-state.ts'
import { type ApplicationRow, applications } from './tables.ts'

/** Asked twice is asked once; whoever was asked by the other accepts by asking. */
export async function apply(
  ctx: Context,
  { memberId, text: given }: Parsed<'social/apply'>,
  { user }: Caller,
): Promise<Relation> {
  const text = cleanText(given, { mayBeEmpty: true })
  return ctx.db.transaction(async (tx) => {
    await lockPair(tx, user.id, memberId)
    await requireOther(tx, user.id, memberId)
    if (!(await areFriends(tx, user.id, memberId))) await ask(ctx, tx, { user, memberId, text })
    return relationOf(ctx, tx, { readerId: user.id, memberId })
  })
}

type Asking = { user: SessionUser; memberId: string; text: string }

async function ask(ctx: Context, tx: Tx, { user, memberId, text }: Asking): Promise<void> {
  const received = await applicationOf(tx, memberId, user.id)
  if (received?.state === 'waiting') return accept(ctx, tx, user, received)
  const sent = await applicationOf(tx, user.id, memberId)
  if (sent && readsAsSent(ctx, sent)) return
  await requirePace(ctx, tx, user.id, 'application')
  // Whoever refused it less than a day ago does not see it; whoever sends it does not see that.
  const isHidden = sent !== null && isRefusedStill(ctx, sent)
  const fresh = { text, at: ctx.now(), state: 'waiting', answeredAt: null } as const
  await tx
    .insert(applications)
    .values({ ...fresh, id: newId(), fromId: user.id, toId: memberId })
    .onConflictDoUpdate({
      target: [applications.fromId, applications.toId],
      set: isHidden ? { at: fresh.at } : fresh,
    })
  if (isHidden) return
  await addNotice(ctx, tx, {
    ...{ userId: memberId, kind: 'friend_request', params: { member: user.nickName } },
  })
}

async function applicationOf(db: Db, fromId: string, toId: string): Promise<ApplicationRow | null> {
  const [row] = await db
    .select()
    .from(applications)
    .where(and(eq(applications.fromId, fromId), eq(applications.toId, toId)))
  return row ?? null
}

/** With both sides locked. */
async function accept(
  ctx: Context,
  tx: Tx,
  user: SessionUser,
  { id, fromId }: ApplicationRow,
): Promise<void> {
  await befriend(ctx, tx, user.id, fromId)
  await tx
    .update(applications)
    .set({ state: 'accepted', answeredAt: ctx.now() })
    .where(eq(applications.id, id))
  // What the other way was asked, and refused, is over.
  await tx.delete(applications).where(and(eq(applications.fromId, user.id), eq(applications.toId, fromId)))
  await addNotice(ctx, tx, {
    ...{ userId: fromId, kind: 'friend_accepted', params: { member: user.nickName } },
  })
}

export async function answer(
  ctx: Context,
  { applicationId, accept: isAccepted }: Parsed<'social/answerApplication'>,
  { user }: Caller,
): Promise<Answer<'social/answerApplication'>> {
  const isIt = and(eq(applications.id, applicationId), eq(applications.toId, user.id))
  const [known] = await ctx.db.select().from(applications).where(isIt)
  if (!known) throw fail('application_missing')
  await ctx.db.transaction(async (tx) => {
    await lockPair(tx, user.id, known.fromId)
    const [waiting] = await tx.select().from(applications).where(isIt)
    if (waiting?.state !== 'waiting') throw fail('application_missing')
    if (isAccepted) return accept(ctx, tx, user, waiting)
    await tx
      .update(applications)
      .set({ state: 'refused', answeredAt: ctx.now() })
      .where(eq(applications.id, waiting.id))
  })
  return {}
}

export async function list(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/applications'>> {
  const other = sql`case when ${applications.fromId} = ${user.id} then ${applications.toId} else ${applications.fromId} end`
  // To the sender one that was refused waits still.
  const isWaiting = or(
    eq(applications.state, 'waiting'),
    and(eq(applications.fromId, user.id), eq(applications.state, 'refused')),
  )
  const rows = await ctx.db
    .select({ application: applications })
    .from(applications)
    .innerJoin(users, and(eq(users.id, other), isNull(users.cancelledAt)))
    .where(or(eq(applications.fromId, user.id), eq(applications.toId, user.id)))
    .orderBy(desc(sql`coalesce(${isWaiting}, false)`), desc(applications.at), desc(applications.id))
    .limit(limits.applicationList)
  const persons = await personsOf(
    ctx.db,
    rows.flatMap(({ application: { fromId, toId } }) => [fromId, toId]),
  )
  const applicationList = rows.flatMap(({ application }) => {
    const person = persons.get(application.fromId === user.id ? application.toId : application.fromId)
    return person ? [shownTo(user.id, application, person)] : []
  })
  return { applicationList, unreadCount: await countWaiting(ctx.db, user.id) }
}

function shownTo(
  readerId: string,
  { id, fromId, text, state, at }: ApplicationRow,
  person: Application['person'],
): Application {
  const isSent = fromId === readerId
  return {
    ...{ id, person, text, direction: isSent ? 'sent' : 'received', at: at.toISOString() },
    state: isSent && state === 'refused' ? 'waiting' : state,
  }
}

/** Friend requests that a member has not answered. */
export async function countWaiting(db: Db, userId: string): Promise<number> {
  const waiting = db
    .select({ id: applications.id })
    .from(applications)
    .innerJoin(users, and(eq(users.id, applications.fromId), isNull(users.cancelledAt)))
    .where(and(eq(applications.toId, userId), eq(applications.state, 'waiting')))
  return db.$count(waiting.as('waiting'))
}
