import { social as limits } from '@neuroloom/contract/limits'
import type { LiveEvent } from '@neuroloom/contract/live'
import type { ChatNews } from '@neuroloom/contract/social/chats'
import { eq } from 'drizzle-orm'
import type { Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { openLiveSocket } from '../../../../test/live-socket.ts'
import { befriend, makeCalls, makeGroup, makeMember, makePair } from '../../../../test/social.ts'
import { users } from '../../accounts/tables.ts'

let server: TestServer
let calls: ReturnType<typeof makeCalls>
const sockets: Socket[] = []
beforeAll(async () => {
  server = await makeServer()
  calls = makeCalls(server)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(() => server.close())

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe('sending', () => {
  it('keeps each message once and in one order, also when 50 are sent at once and twice', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const wanted = upTo(25).map((number) => ({
      who: number % 2 ? doctor : nurse,
      number,
      text: `text ${number}`,
    }))
    const answers = await Promise.all(
      [...wanted, ...wanted].map(({ who, number, text }) =>
        calls.send(who, chatId, text, { requestId: `parallel-${number}` }),
      ),
    )
    expect(answers.map(({ message }) => message)).toEqual(answers.map(() => 'success'))
    const [once, twice] = [answers.slice(0, 25), answers.slice(25)]
    expect(twice.map(({ data }) => data.id)).toEqual(once.map(({ data }) => data.id))
    const { messages, hasEarlier } = await calls.read(nurse, chatId)
    expect(messages.map(({ id }) => id)).toEqual(upTo(25))
    expect(messages.map(({ text }) => text).sort()).toEqual(wanted.map(({ text }) => text).sort())
    expect(hasEarlier).toBe(false)
  })

  it('keeps line breaks, and takes out what deceives the eye', async () => {
    const { doctor, chatId } = await makePair(server)
    const said = async (text: string) => (await calls.send(doctor, chatId, text)).data
    expect((await said('  one\r\ntwo\tthree\0 ')).text).toBe('one\ntwo\tthree')
    expect((await said('a\u202egnp.exe\u2066b')).text).toBe('agnp.exeb')
    expect((await said("<img src=x onerror='alert(1)'>")).text).toBe("<img src=x onerror='alert(1)'>")
    for (const text of [
      ' \n ',
      '\u202e',
      'bell\u0007',
      'x'.repeat(limits.messageLength + 1),
      'x'.repeat(1e6),
    ])
      expect((await calls.send(doctor, chatId, text)).code).not.toBe(10200)
  })

  it('is for friends', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const stranger = await makeMember(server, 'Stranger')
    const open = (memberId: string) => server.call('social/openChat', { memberId }, doctor)
    expect((await open(stranger.userId)).data.error).toBe('not_friends')
    expect((await open(doctor.userId)).data.error).toBe('member_missing')
    expect((await open('nobody')).data.error).toBe('member_missing')
    await server.call('social/unfriend', { memberId: doctor.userId }, nurse)
    expect((await calls.send(doctor, chatId, 'hello')).data.error).toBe('not_friends')
    expect((await calls.read(doctor, chatId)).chat.closed).toBe('not_friends')
  })

  it('is refused past a block, either way, without a word about who blocks', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    await calls.send(doctor, chatId, 'before')
    await server.call('social/block', { memberId: doctor.userId }, nurse)
    for (const who of [doctor, nurse]) {
      expect((await calls.send(who, chatId, 'after')).data.error).toBe('social_refused')
      const { chat, messages } = await calls.read(who, chatId)
      expect([chat.closed, messages.length]).toEqual(['blocked', 1])
    }
  })

  it('stays closed until both have taken their blocks back: the blocked one may block as well', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    await server.call('social/block', { memberId: doctor.userId }, nurse)
    expect((await server.call('social/block', { memberId: nurse.userId }, doctor)).code).toBe(10200)
    const { people } = (await server.call('social/blocked', {}, doctor)).data
    expect(people.map(({ nickName }) => nickName)).toEqual(['Nurse'])
    await server.call('social/unblock', { memberId: doctor.userId }, nurse)
    expect((await calls.read(nurse, chatId)).chat.closed).toBe('blocked')
    const card = await server.call('social/card', { memberId: doctor.userId }, nurse)
    expect(card.data.error).toBe('member_missing')
    await server.call('social/unblock', { memberId: nurse.userId }, doctor)
    expect((await calls.read(nurse, chatId)).chat.closed).toBe('not_friends')
  })

  it('is slowed, and the chat stays as it was', async () => {
    const { doctor, chatId } = await makePair(server)
    // An account of today.
    await server.ctx.db.update(users).set({ createdAt: server.ctx.now() }).where(eq(users.id, doctor.userId))
    for (const number of upTo(limits.newMessages)) await calls.send(doctor, chatId, `${number}`)
    const refused = await calls.send(doctor, chatId, 'too much')
    expect(refused.data).toMatchObject({ error: 'social_slow', params: { seconds: expect.any(Number) } })
    const { messages } = await calls.read(doctor, chatId)
    expect(messages.at(-1)?.id).toBe(limits.newMessages)
    // Sent again, what was kept is answered as before.
    const requestId = messages.at(-1)?.requestId ?? ''
    expect((await calls.send(doctor, chatId, 'again', { requestId })).data.id).toBe(limits.newMessages)
  })
})

describe('a chat', () => {
  it('of two members is one, whoever opens it, also when both do at once', async () => {
    const [doctor, nurse] = [await makeMember(server, 'Doctor'), await makeMember(server, 'Nurse')]
    await befriend(server, doctor, nurse)
    const opened = await Promise.all(
      [doctor, nurse, doctor, nurse].map((who) =>
        server.call('social/openChat', { memberId: (who === doctor ? nurse : doctor).userId }, who),
      ),
    )
    expect(new Set(opened.map(({ data }) => data.id)).size).toBe(1)
    expect(opened[0]?.data).toMatchObject({ kind: 'pair', name: 'Nurse', person: { id: nurse.userId } })
    // Listed once something is in it.
    expect((await calls.chatsOf(nurse)).chats).toEqual([])
    await calls.send(doctor, opened[0]?.data.id ?? '', 'hello')
    expect((await calls.chatsOf(nurse)).chats).toMatchObject([{ name: 'Doctor', last: { text: 'hello' } }])
  })

  it('is there for its members alone', async () => {
    const { doctor, chatId } = await makePair(server)
    const stranger = await makeMember(server, 'Stranger')
    await calls.send(doctor, chatId, 'for Nurse')
    const refused = await Promise.all([
      server.call('social/messages', { chatId }, stranger),
      server.call('social/messages', { chatId: 'nothing' }, stranger),
      calls.send(stranger, chatId, 'hello'),
      server.call('social/withdraw', { chatId, messageId: 1 }, stranger),
      server.call('social/read', { chatId, messageId: 1 }, stranger),
      server.call('social/mute', { chatId, isMuted: true }, stranger),
      server.call('social/removeChat', { chatId }, stranger),
      server.call('social/searchMessages', { chatId, text: 'Nurse' }, stranger),
    ])
    expect(refused.map(({ data }) => data.error)).toEqual(refused.map(() => 'chat_missing'))
    const found = await server.call('social/searchMessages', { text: 'Nurse' }, stranger)
    expect(found.data.found).toEqual([])
    expect(await calls.texts(doctor, chatId)).toEqual(['for Nurse'])
  })

  it('is read in pages: the latest, earlier, later and around a message', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    await calls.send(nurse, chatId, 'first')
    await addMany(chatId, 60)
    const pageOf = async (place: object) => {
      const { messages, hasEarlier, hasLater } = await calls.read(doctor, chatId, place)
      return [messages.at(0)?.id, messages.at(-1)?.id, messages.length, hasEarlier, hasLater]
    }
    expect(await pageOf({})).toEqual([11, 60, 50, true, false])
    expect(await pageOf({ before: 11 })).toEqual([1, 10, 10, false, true])
    expect(await pageOf({ after: 0 })).toEqual([1, 50, 50, false, true])
    expect(await pageOf({ after: 50 })).toEqual([51, 60, 10, true, false])
    expect(await pageOf({ around: 30 })).toEqual([6, 55, 50, true, true])
    expect(await pageOf({ after: 60 })).toEqual([undefined, undefined, 0, true, false])
  })

  it('says what is unread, of others alone, and how far the other one has read', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    for (const text of ['one', 'two', 'three']) await calls.send(doctor, chatId, text)
    const waiting = async () => (await server.call('social/unread', {}, nurse)).data.chats
    expect((await calls.chatsOf(doctor)).unreadCount).toBe(0)
    expect((await calls.chatsOf(nurse)).chats).toMatchObject([{ unreadCount: 3, readId: 0 }])
    const mark = (messageId: number) => server.call('social/read', { chatId, messageId }, nurse)
    expect((await mark(2)).data).toEqual({ unreadCount: 1 })
    expect((await mark(1)).data).toEqual({ unreadCount: 1 })
    expect((await calls.read(doctor, chatId)).chat.otherReadId).toBe(2)
    expect(await waiting()).toBe(1)
    await server.call('social/mute', { chatId, isMuted: true }, nurse)
    expect(await waiting()).toBe(0)
    expect((await calls.chatsOf(nurse)).chats).toMatchObject([{ unreadCount: 1, isMuted: true }])
    await server.call('social/mute', { chatId, isMuted: false }, nurse)
    // Nobody has read what is not there.
    expect((await mark(1000)).data).toEqual({ unreadCount: 0 })
    await calls.send(doctor, chatId, 'four')
    expect(await waiting()).toBe(1)
  })

  it('counts unread messages as far as pages say it', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    await calls.send(doctor, chatId, 'one')
    await addMany(chatId, 300)
    expect((await calls.chatsOf(nurse)).chats[0]?.unreadCount).toBe(limits.unread)
  })

  it('that was removed from one’s own list comes back with the next message, without its history', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    await calls.send(doctor, chatId, 'old')
    await server.call('social/removeChat', { chatId }, nurse)
    expect((await calls.chatsOf(nurse)).chats).toEqual([])
    expect(await calls.texts(doctor, chatId)).toEqual(['old'])
    const { data } = await calls.send(doctor, chatId, 'new', { replyTo: 1 })
    expect(await calls.texts(nurse, chatId)).toEqual(['new'])
    // Not by way of a quote either.
    expect(data.replyTo?.text).toBe('old')
    expect((await calls.read(nurse, chatId)).messages[0]?.replyTo).toMatchObject({ id: 1, text: '' })
    const found = await server.call('social/searchMessages', { text: 'old' }, nurse)
    expect(found.data.found).toEqual([])
  })
})

describe('naming members', () => {
  it('counts for those who are in the chat', async () => {
    const people = [await makeMember(server, 'Doctor'), await makeMember(server, 'Nurse')] as const
    const [doctor, nurse] = people
    const stranger = await makeMember(server, 'Stranger')
    const { chatId } = await makeGroup(server, [...people])
    const { data } = await calls.send(doctor, chatId, '@Nurse look', {
      mentions: [nurse.userId, stranger.userId],
    })
    expect(data.mentions).toEqual([nurse.userId])
    await calls.send(doctor, chatId, 'to all')
    expect((await calls.chatsOf(nurse)).chats).toMatchObject([{ unreadCount: 2, mentionCount: 1 }])
    await server.call('social/read', { chatId, messageId: data.id }, nurse)
    expect((await calls.chatsOf(nurse)).chats).toMatchObject([{ unreadCount: 1, mentionCount: 0 }])
  })
})

describe('withdrawing', () => {
  it('deletes the text for good, in quotes and searches too', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { id } = (await calls.send(doctor, chatId, 'wrong patient Smith')).data
    await calls.send(nurse, chatId, 'Which one?', { replyTo: id })
    expect((await calls.read(nurse, chatId)).messages[1]?.replyTo?.text).toBe('wrong patient Smith')
    const withdraw = (who: Session) => server.call('social/withdraw', { chatId, messageId: id }, who)
    expect((await withdraw(nurse)).data.error).toBe('message_missing')
    expect((await withdraw(doctor)).data).toMatchObject({ id, text: '', isWithdrawn: true })
    expect((await withdraw(doctor)).data).toMatchObject({ isWithdrawn: true })
    const { messages } = await calls.read(nurse, chatId)
    expect(messages).toMatchObject([{ text: '', isWithdrawn: true }, { replyTo: { text: '' } }])
    expect((await server.call('social/searchMessages', { text: 'smith' }, nurse)).data.found).toEqual([])
    const { rows } = await server.ctx.pool.query('select * from social_messages where chat_id = $1', [chatId])
    expect(JSON.stringify(rows)).not.toMatch(/smith/i)
    expect((await calls.send(nurse, chatId, 'That?', { replyTo: id })).data.error).toBe('message_missing')
  })

  it('is too late after two minutes', async () => {
    const { doctor, chatId } = await makePair(server)
    const { id: messageId } = (await calls.send(doctor, chatId, 'hello')).data
    server.forward(limits.withdrawMs + 1)
    const late = await server.call('social/withdraw', { chatId, messageId }, doctor)
    expect(late.data.error).toBe('message_late')
    expect(await calls.texts(doctor, chatId)).toEqual(['hello'])
  })
})

describe('searching', () => {
  it('finds parts of words in any language, in one chat or in all of one’s own, latest first', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const other = await makePair(server)
    for (const text of ['Effusion on the left', '左侧胸腔积液', 'Выпот слева', 'nothing'])
      await calls.send(doctor, chatId, text)
    await calls.send(other.doctor, other.chatId, 'effusion elsewhere')
    const find = async (text: string, chat: string | null = null) =>
      (await server.call('social/searchMessages', { text, chatId: chat }, nurse)).data.found.map(
        ({ message }) => message.text,
      )
    expect(await find('FUSION')).toEqual(['Effusion on the left'])
    expect(await find('积液')).toEqual(['左侧胸腔积液'])
    expect(await find('ВЫПОТ', chatId)).toEqual(['Выпот слева'])
    expect(await find('%%')).toEqual([])
    expect(await find('ef')).toEqual(['Effusion on the left'])
  })

  it('pages through rare, frequent and bygone words of a long history', async () => {
    const { nurse, chatId, doctor } = await makePair(server)
    await calls.send(doctor, chatId, 'first')
    await addMany(chatId, 25_000)
    const find = async (text: string, after: string | null) =>
      (await server.call('social/searchMessages', { text, chatId, after }, nurse)).data
    for (const word of ['rare', 'frequent', 'bygone']) {
      const expected = upTo(25_000)
        .filter((id) => wordOf(id) === word)
        .reverse()
      const first = await find(word, null)
      const second = await find(word, first.next)
      const ids = [...first.found, ...second.found].map(({ message }) => message.id)
      const most = Math.min(2 * limits.found, expected.length)
      expect(ids).toEqual(expected.slice(0, most))
      expect(second.next === null).toBe(expected.length === most)
    }
  })
})

describe('open pages', () => {
  it('get each message once, in order, as it is sent or withdrawn', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { watch, events } = await openPage(nurse)
    expect(await watch(chatId)).toEqual({ ok: true })
    const sentNews = events('message', 4)
    const readNews = events('read', 1)
    for (const text of ['one', 'two']) await calls.send(doctor, chatId, text)
    await calls.send(doctor, chatId, '文'.repeat(limits.messageLength))
    await server.call('social/withdraw', { chatId, messageId: 1 }, doctor)
    const news = (await sentNews).map(({ data }) => data as ChatNews)
    expect(news.map(({ messageId, message }) => [messageId, message?.text ?? null])).toEqual([
      [1, 'one'],
      [2, 'two'],
      // Too large to be sent along: the page asks.
      [3, null],
      [1, ''],
    ])
    await server.call('social/read', { chatId, messageId: 2 }, doctor)
    expect((await readNews)[0]?.data).toEqual({ memberId: doctor.userId, messageId: 2 })
  })

  it('are told of chats that they do not watch', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { watchUser, events } = await openPage(nurse)
    await watchUser()
    const told = events('chats', 1)
    await calls.send(doctor, chatId, 'hello')
    expect((await told)[0]).toMatchObject({ topic: { kind: 'user', id: nurse.userId } })
  })

  it('hear nothing of others’ chats, and no more of a group once their member is removed', async () => {
    const [doctor, nurse] = [await makeMember(server, 'Doctor'), await makeMember(server, 'Nurse')]
    const stranger = await makeMember(server, 'Stranger')
    const { id: groupId, chatId } = await makeGroup(server, [doctor, nurse])
    const foreign = await openPage(stranger)
    expect(await foreign.watch(chatId)).toEqual({ ok: false, error: 'chat_missing' })
    const page = await openPage(nurse)
    expect(await page.watch(chatId)).toEqual({ ok: true })
    const gone = new Promise<void>((resolve) => page.socket.once('disconnect', () => resolve()))
    await server.call('social/removeFromGroup', { groupId, memberId: nurse.userId }, doctor)
    await gone
    const back = await openPage(nurse)
    expect(await back.watch(chatId)).toEqual({ ok: false, error: 'chat_missing' })
  })

  it('get no quote of what a later member does not see', async () => {
    const [doctor, nurse] = [await makeMember(server, 'Doctor'), await makeMember(server, 'Nurse')]
    const { chatId, number } = await makeGroup(server, [doctor])
    const { id: replyTo } = (await calls.send(doctor, chatId, 'secret')).data
    await server.call('social/joinGroup', { number }, nurse)
    const { watch, events } = await openPage(nurse)
    await watch(chatId)
    const told = events('message', 1)
    await calls.send(doctor, chatId, 'as I said', { replyTo })
    expect(JSON.stringify(await told)).not.toContain('secret')
  })
})

/** What `addMany` writes: every 500th is rare, every other second one frequent; some words are of the older half alone. */
function wordOf(id: number): string {
  if (id === 1) return 'first'
  if (id % 500 === 0) return 'rare'
  if (id % 2 === 0) return 'frequent'
  return id < 12_500 ? 'bygone' : 'recent'
}

/** After a chat's first message, a minute apart. */
async function addMany(chatId: string, lastId: number): Promise<void> {
  await server.ctx.pool.query(
    `insert into social_messages (chat_id, id, sender_id, at, text, search_text, request_id)
     select chat_id, n, sender_id, at - ($2::int - n) * interval '1 minute', word, word, 'more ' || n
     from social_messages, unnest($3::text[]) with ordinality as words (word, place),
       lateral (select place::int + 1 as n) numbers
     where chat_id = $1`,
    [chatId, lastId, Array.from({ length: lastId - 1 }, (_, index) => wordOf(index + 2))],
  )
  await server.ctx.pool.query(
    `update social_chat_members set joined_at = joined_at - $2::int * interval '1 minute' where chat_id = $1`,
    [chatId, lastId],
  )
  await server.ctx.pool.query('update social_chats set last_id = $2 where id = $1', [chatId, lastId])
}

async function openPage(who: Session) {
  const { ticket } = (await server.call('user/ticket', {}, who)).data
  const socket = await openLiveSocket(server.url, ticket)
  sockets.push(socket)
  const heard: LiveEvent[] = []
  let check: () => void = () => undefined
  socket.on('event', (event: LiveEvent) => {
    heard.push(event)
    check()
  })
  return {
    socket,
    watch: (id: string) => socket.emitWithAck('watch', { kind: 'chat', id, after: 0 }),
    watchUser: () => socket.emitWithAck('watch', { kind: 'user', id: who.userId, after: 0 }),
    events: (type: string, count: number) =>
      new Promise<LiveEvent[]>((resolve) => {
        check = ((before) => () => {
          before()
          const ofType = heard.filter((event) => event.type === type)
          if (ofType.length >= count) resolve(ofType)
        })(check)
        check()
      }),
  }
}
