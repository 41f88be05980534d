/** Members of the social centre who know each other already, and what they do all the time. */
import type { Body } from '@neuroloom/contract/calls'
import { eq, sql } from 'drizzle-orm'
import { users } from '../src/features/accounts/tables.ts'
import { chatMembers, chats } from '../src/features/social/chats/tables.ts'
import { friends } from '../src/features/social/people/tables.ts'
import type { Db } from '../src/infra/db.ts'
import type { Session, TestServer } from './harness.ts'

export type Member = Session & { account: string; nickName: string }

/** With an account that is old enough to write much. */
export async function makeMember(server: TestServer, nickName: string, vipLevel = 2): Promise<Member> {
  const who = await server.signUp({ nickName, vipLevel })
  const createdAt = new Date('2026-01-01T00:00:00Z')
  await server.ctx.db.update(users).set({ createdAt }).where(eq(users.id, who.userId))
  return { ...who, nickName }
}

export async function befriend(server: TestServer, one: Session, other: Session): Promise<void> {
  const since = server.ctx.now()
  await server.ctx.db.insert(friends).values([
    { userId: one.userId, friendId: other.userId, since },
    { userId: other.userId, friendId: one.userId, since },
  ])
}

/** Two friends, and the chat that they have opened. */
export async function makePair(server: TestServer) {
  const [doctor, nurse] = [await makeMember(server, 'Doctor'), await makeMember(server, 'Nurse')]
  await befriend(server, doctor, nurse)
  const { id: chatId } = (await server.call('social/openChat', { memberId: nurse.userId }, doctor)).data
  return { doctor, nurse, chatId }
}

/** A group that all of them are in; the first one owns it. */
export async function makeGroup(server: TestServer, [owner, ...others]: readonly [Member, ...Member[]]) {
  const group = (await server.call('social/createGroup', { name: 'Ward 3' }, owner)).data
  for (const one of others) await server.call('social/joinGroup', { number: group.number }, one)
  return group
}

/** So many messages of all members, read by all, "Line 1." and on; some are long. Answers the number of the last one. */
export async function fillChat(db: Db, chatId: string, count: number): Promise<number> {
  const [chat] = await db
    .update(chats)
    .set({ lastId: sql`${chats.lastId} + ${count}` })
    .where(eq(chats.id, chatId))
    .returning()
  if (!chat) throw new Error('There is no such chat')
  await db.execute(sql`
    insert into social_messages (chat_id, id, sender_id, at, text, search_text, request_id)
    select ${chatId}, ${chat.lastId - count}::bigint + n, m.user_id, now() - (${count}::int - n) * interval '7 minutes',
      words, lower(words), 'filled ' || n
    from generate_series(1, ${count}::int) n,
      lateral (select 'Line ' || n || '.' || repeat(' more of it', n * 7 % 40) as words) w,
      lateral (
        select user_id, row_number() over (order by user_id) as place, count(*) over () as members
        from social_chat_members where chat_id = ${chatId}
      ) m
    where m.place = 1 + n / 3 % m.members`)
  await db.update(chatMembers).set({ readId: chat.lastId }).where(eq(chatMembers.chatId, chatId))
  return chat.lastId
}

let sent = 0

export function makeCalls(server: TestServer) {
  const send = (who: Session, chatId: string, text: string, more: Partial<Body<'social/send'>> = {}) => {
    sent += 1
    return server.call('social/send', { chatId, text, requestId: `request-${sent}`, ...more }, who)
  }
  const read = async (who: Session, chatId: string, place: Partial<Body<'social/messages'>> = {}) =>
    (await server.call('social/messages', { chatId, ...place }, who)).data
  const texts = async (who: Session, chatId: string): Promise<string[]> =>
    (await read(who, chatId)).messages.flatMap(({ event, text }) => (event ? [] : [text]))
  const chatsOf = async (who: Session) => (await server.call('social/chats', {}, who)).data
  return { send, read, texts, chatsOf }
}
