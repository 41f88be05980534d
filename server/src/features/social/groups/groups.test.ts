import { social as limits, planLimits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../../test/harness.ts'
import { befriend, type Member, makeCalls, makeGroup, makeMember, makePair } from '../../../../test/social.ts'
import { unzip } from '../../../../test/unzip.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { erase } from '../../accounts/cancel.ts'
import { tries } from '../../files/sharing/tables.ts'

let server: TestServer
let calls: ReturnType<typeof makeCalls>
beforeAll(async () => {
  server = await makeServer()
  calls = makeCalls(server)
})
afterAll(() => server.close())

const people = async (): Promise<[Member, Member, Member]> => [
  await makeMember(server, 'Owner'),
  await makeMember(server, 'Nurse'),
  await makeMember(server, 'Student'),
]
const join = (who: Session, number: string, password = '') =>
  server.call('social/joinGroup', { number, password }, who)
const groupsOf = async (who: Session) => (await server.call('social/groups', {}, who)).data
const linesOf = async (who: Session, chatId: string) =>
  (await calls.read(who, chatId)).messages.flatMap(({ from, event }) =>
    event ? [[event.kind, from.nickName, event.person?.nickName ?? null]] : [],
  )

describe('chat groups', () => {
  it('are founded with a number, and found and joined by it', async () => {
    const [owner, nurse] = await people()
    const group = await makeGroup(server, [owner])
    expect(group).toMatchObject({ isOwner: true, owner: { nickName: 'Owner' }, memberCount: 1, notice: '' })
    expect(group.number).toMatch(/^[1-9]\d{8}$/)
    const find = () => server.call('social/findGroup', { number: group.number }, nurse)
    expect((await find()).data).toMatchObject({ id: group.id, name: 'Ward 3', joined: false })
    expect((await join(nurse, group.number)).data).toMatchObject({ isOwner: false, memberCount: 2 })
    expect((await join(nurse, group.number)).data.error).toBe('group_joined')
    expect((await find()).data.joined).toBe(true)
    const { members } = (await server.call('social/groupMembers', { groupId: group.id }, nurse)).data
    expect(members).toMatchObject([{ nickName: 'Owner', isOwner: true }, { nickName: 'Nurse' }])
    expect(await linesOf(owner, group.chatId)).toEqual([
      ['created', 'Owner', null],
      ['joined', 'Nurse', null],
    ])
    expect((await groupsOf(nurse)).groups).toMatchObject([{ id: group.id, chatId: group.chatId }])
  })

  it('show messages from joining on', async () => {
    const [owner, nurse, student] = await people()
    const { chatId, number, id: groupId } = await makeGroup(server, [owner, nurse])
    await calls.send(owner, chatId, 'before')
    await join(student, number)
    await calls.send(nurse, chatId, 'after')
    expect(await calls.texts(student, chatId)).toEqual(['after'])
    expect((await calls.read(student, chatId, { before: 3 })).messages).toEqual([])
    const found = await server.call('social/searchMessages', { text: 'before' }, student)
    expect(found.data.found).toEqual([])
    const quoting = await calls.send(student, chatId, 'what?', { replyTo: 3 })
    expect(quoting.data.error).toBe('message_missing')
    // Who leaves reads on what was written up to then.
    await server.call('social/exitGroup', { groupId }, student)
    await calls.send(owner, chatId, 'without Student')
    expect(await calls.texts(student, chatId)).toEqual(['after'])
    expect((await calls.chatsOf(student)).chats).toMatchObject([{ closed: 'left', unreadCount: 1 }])
    expect((await calls.send(student, chatId, 'hello?')).data.error).toBe('chat_missing')
    expect((await server.call('social/groupMembers', { groupId }, student)).data.error).toBe('group_missing')
    expect((await groupsOf(student)).groups).toEqual([])
    // And back, from there on.
    await join(student, number)
    expect(await calls.texts(student, chatId)).toEqual([])
  })

  it('keep their password to themselves, and ask for it', async () => {
    const [owner, nurse] = await people()
    const body = { name: 'Ward', password: 'let me in' }
    const { number, id } = (await server.call('social/createGroup', body, owner)).data
    expect((await join(nurse, number)).data.error).toBe('access_password_wrong')
    expect((await join(nurse, number, 'let me')).data.error).toBe('access_password_wrong')
    expect((await join(nurse, number, 'let me in')).code).toBe(10200)
    const { rows } = await server.ctx.pool.query('select * from social_groups where id = $1', [id])
    expect(JSON.stringify(rows)).not.toContain('let me in')
  })

  it('are changed by their owner alone', async () => {
    const [owner, nurse, student] = await people()
    const { id: groupId, chatId } = await makeGroup(server, [owner, nurse])
    const edit = (who: Session, notice = '') =>
      server.call('social/editGroup', { groupId, name: ' Ward\n4 ', introduction: '', notice }, who)
    expect((await edit(nurse)).data.error).toBe('not_allowed')
    expect((await edit(student)).data.error).toBe('group_missing')
    expect((await edit(owner, 'Rounds at 8')).data).toMatchObject({ name: 'Ward 4', notice: 'Rounds at 8' })
    expect(await linesOf(nurse, chatId)).toContainEqual(['notice', 'Owner', null])
    expect((await calls.chatsOf(nurse)).chats[0]?.name).toBe('Ward 4')
    for (const refused of await Promise.all([
      server.call('social/removeFromGroup', { groupId, memberId: owner.userId }, nurse),
      server.call('social/transferGroup', { groupId, memberId: nurse.userId }, nurse),
      server.call('social/dissolveGroup', { groupId }, nurse),
    ]))
      expect(refused.data.error).toBe('not_allowed')
  })

  it('are as many as the level allows, also when many are founded at once', async () => {
    const [owner] = await people()
    const limit = planLimits({ vipLevel: 2, vipSuper: 0 }).chatGroups ?? 0
    const made = await Promise.all(
      Array.from({ length: limit + 10 }, () => server.call('social/createGroup', { name: 'G' }, owner)),
    )
    expect(made.filter(({ code }) => code === 10200)).toHaveLength(limit)
    expect(made.filter(({ data }) => data.error === 'plan_limit')).toHaveLength(10)
    expect((await groupsOf(owner)).ownLimit).toBe(limit)
    expect(await usedOf(owner)).toEqual([{ name: 'chatGroups', used: limit, limit }])
  })

  it('are joined, and not founded, by visitors', async () => {
    const [owner] = await people()
    const visitor = await makeMember(server, 'Visitor', 0)
    const { number, id: groupId } = await makeGroup(server, [owner])
    const refused = await server.call('social/createGroup', { name: 'G' }, visitor)
    expect(refused.data.error).toBe('upgrade_needed')
    expect((await join(visitor, number)).code).toBe(10200)
    const given = await server.call('social/transferGroup', { groupId, memberId: visitor.userId }, owner)
    expect(given.data).toMatchObject({ error: 'plan_limit', params: { limit: 0 } })
  })

  it('hold so many members', async () => {
    const [owner, nurse, student] = await people()
    const { number, chatId } = await makeGroup(server, [owner, nurse])
    await server.ctx.pool.query(
      `with made as (
         insert into users (id, email_key, password_hash, nick_name)
         select $1::text || n, n || '@filler.test', '', 'Filler' from generate_series(1, $2::int) n returning id
       )
       insert into social_chat_members (chat_id, user_id, joined_at) select $1, id, now() from made`,
      [chatId, limits.groupMembers - 2],
    )
    expect((await join(student, number)).data).toMatchObject({
      error: 'group_full',
      params: { limit: limits.groupMembers },
    })
    // All of them hear of it, in one go.
    expect((await calls.send(owner, chatId, 'to all')).code).toBe(10200)
  })
})

describe('members of a group', () => {
  it('bring friends in', async () => {
    const [owner, nurse, student] = await people()
    const { id: groupId, chatId } = await makeGroup(server, [owner, nurse])
    const invite = (who: Session, memberId: string) =>
      server.call('social/inviteToGroup', { groupId, memberId }, who)
    expect((await invite(nurse, student.userId)).data.error).toBe('not_friends')
    expect((await invite(student, student.userId)).data.error).toBe('group_missing')
    expect((await invite(nurse, 'nobody')).data.error).toBe('member_missing')
    await befriend(server, nurse, student)
    expect((await invite(nurse, student.userId)).data.memberCount).toBe(3)
    expect((await invite(nurse, student.userId)).data.error).toBe('group_joined')
    expect(await linesOf(student, chatId)).toEqual([['invited', 'Nurse', 'Student']])
  })

  it('who were removed come back by the owner’s invitation alone', async () => {
    const [owner, nurse, student] = await people()
    const { id: groupId, number, chatId } = await makeGroup(server, [owner, nurse, student])
    const remove = () => server.call('social/removeFromGroup', { groupId, memberId: nurse.userId }, owner)
    expect((await remove()).code).toBe(10200)
    expect((await remove()).data.error).toBe('member_missing')
    expect(await linesOf(nurse, chatId)).toContainEqual(['removed', 'Owner', 'Nurse'])
    expect((await join(nurse, number)).data.error).toBe('group_barred')
    for (const friend of [owner, student]) await befriend(server, friend, nurse)
    const invite = (who: Session) =>
      server.call('social/inviteToGroup', { groupId, memberId: nurse.userId }, who)
    expect((await invite(student)).data.error).toBe('not_allowed')
    expect((await invite(owner)).code).toBe(10200)
    expect((await calls.send(nurse, chatId, 'back')).code).toBe(10200)
  })

  it('take a group over where their level allows one more', async () => {
    const [owner, nurse, student] = await people()
    const { id: groupId, chatId } = await makeGroup(server, [owner, nurse])
    const give = (memberId: string) => server.call('social/transferGroup', { groupId, memberId }, owner)
    expect((await give(student.userId)).data.error).toBe('member_missing')
    expect((await server.call('social/exitGroup', { groupId }, owner)).data.error).toBe('not_allowed')
    expect((await give(nurse.userId)).data).toMatchObject({ isOwner: false, owner: { nickName: 'Nurse' } })
    expect(await linesOf(owner, chatId)).toContainEqual(['owner', 'Owner', 'Nurse'])
    expect((await server.call('social/exitGroup', { groupId }, owner)).code).toBe(10200)

    const limit = planLimits({ vipLevel: 2, vipSuper: 0 }).chatGroups ?? 0
    for (let count = 0; count < limit; count += 1) await makeGroup(server, [student])
    const other = await makeGroup(server, [owner, student])
    const body = { groupId: other.id, memberId: student.userId }
    const refused = await server.call('social/transferGroup', body, owner)
    expect(refused.data).toMatchObject({ error: 'plan_limit', params: { limit } })
  })

  it('lose what was written when the group is dissolved', async () => {
    const [owner, nurse] = await people()
    const { id: groupId, chatId, number } = await makeGroup(server, [owner, nurse])
    await calls.send(nurse, chatId, 'hello')
    expect((await server.call('social/dissolveGroup', { groupId }, owner)).code).toBe(10200)
    expect((await server.call('social/messages', { chatId }, nurse)).data.error).toBe('chat_missing')
    expect((await join(nurse, number)).data.error).toBe('group_missing')
    expect((await calls.chatsOf(nurse)).chats).toEqual([])
    const { rows } = await server.ctx.pool.query('select * from social_messages where chat_id = $1', [chatId])
    expect(rows).toEqual([])
  })

  it('are each in it once, or out of it, when all join and leave at once', async () => {
    const [owner, nurse, student] = await people()
    const { id: groupId, chatId, number } = await makeGroup(server, [owner])
    const deeds = Array.from({ length: 30 }, (_, index) => {
      const who = index % 2 ? nurse : student
      return index % 3 === 0 ? server.call('social/exitGroup', { groupId }, who) : join(who, number)
    })
    const answers = await Promise.all([...deeds, ...deeds.map((_, n) => calls.send(owner, chatId, `${n}`))])
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const { messages } = await calls.read(owner, chatId, { after: 0 })
    expect(messages.map(({ id }) => id)).toEqual(messages.map((_, index) => index + 1))
    const present = new Set<string>()
    for (const { event, from } of (await allMessages(owner, chatId)).filter((one) => one.event)) {
      if (event?.kind === 'joined') expect(present.has(from.id)).toBe(false)
      if (event?.kind === 'joined') present.add(from.id)
      if (event?.kind === 'left') expect(present.delete(from.id)).toBe(true)
    }
    const { members } = (await server.call('social/groupMembers', { groupId }, owner)).data
    expect(members.map(({ id }) => id).sort()).toEqual([owner.userId, ...present].sort())
  })
})

describe('a closed account', () => {
  it('leaves its messages to others without a name, and its groups to who was in them longest', async () => {
    const { doctor, nurse, chatId: pairId } = await makePair(server)
    const student = await makeMember(server, 'Student')
    const group = await makeGroup(server, [doctor, student, nurse])
    const alone = await makeGroup(server, [doctor])
    await calls.send(doctor, pairId, 'for Nurse')
    await calls.send(doctor, group.chatId, 'for all', { mentions: [] })
    await calls.send(nurse, group.chatId, 'thanks', { mentions: [doctor.userId] })

    const { data } = await server.call('user/export', {}, doctor)
    const archive = await unzip(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer()))
    const text = [...archive].map(([path, { bytes }]) => (path.includes('social') ? `${bytes}` : '')).join()
    for (const own of ['for Nurse', 'for all', group.number, alone.number]) expect(text).toContain(own)
    expect(text).not.toContain('thanks')

    expect((await server.call('user/cancel', { password: PASSWORD }, doctor)).code).toBe(10200)
    expect((await calls.read(nurse, pairId)).chat).toMatchObject({ name: '', closed: 'account_closed' })
    const worker = makeWorker(server)
    await erase(worker, doctor.userId)
    worker.engine.close()
    const { chat, messages } = await calls.read(nurse, pairId)
    expect(chat).toMatchObject({ name: '', closed: 'account_closed' })
    expect(messages).toMatchObject([{ from: { nickName: '' }, text: 'for Nurse' }])
    expect((await calls.send(nurse, pairId, 'hello?')).data.error).toBe('social_refused')
    const [own] = (await groupsOf(student)).groups
    expect(own).toMatchObject({ id: group.id, isOwner: true, memberCount: 2 })
    expect(await calls.texts(student, group.chatId)).toEqual(['for all', 'thanks'])
    expect((await join(nurse, alone.number)).data.error).toBe('group_missing')
    const left = await server.ctx.pool.query(
      'select * from social_messages where $1 in (sender_id, person_id) or $1 = any(mentions)',
      [doctor.userId],
    )
    expect(left.rows).toEqual([])
  })
})

describe('the social centre', () => {
  it('is not there on a hospital’s own server, nor for service providers', async () => {
    const who = await server.signUp()
    const { config } = server.ctx
    try {
      config.deployment = 'private'
      expect((await server.call('social/chats', {}, who)).data.error).toBe('not_found')
      expect((await server.call('social/createGroup', { name: 'G' }, who)).data.error).toBe('not_found')
    } finally {
      config.deployment = 'public'
    }
    const provider = await server.signUp({ role: 1 })
    expect((await server.call('social/chats', {}, provider)).data.error).toBe('not_allowed')
    expect((await server.call('social/chats', {})).data.error).toBe('not_signed_in')
  })
})

describe('guessing', () => {
  it('passwords is slowed', async () => {
    const [owner, nurse] = await people()
    const body = { name: 'Ward', password: 'let me in' }
    const { number } = (await server.call('social/createGroup', body, owner)).data
    const wrong = { kind: 'chatGroup' as const, key: nurse.userId, at: server.ctx.now() }
    await server.ctx.db.insert(tries).values(Array.from({ length: limits.tries - 1 }, () => wrong))
    expect((await join(nurse, number, 'wrong')).data.error).toBe('access_password_wrong')
    expect((await join(nurse, number, 'let me in')).data.error).toBe('tries_wait')
    server.forward(limits.triesMs)
    expect((await join(nurse, number, 'let me in')).code).toBe(10200)
  })
})

const usedOf = async (who: Session) =>
  (await server.call('plans/used', { names: ['chatGroups'] }, who)).data.limits

async function allMessages(who: Session, chatId: string) {
  const first = await calls.read(who, chatId, { after: 0 })
  const next = await calls.read(who, chatId, { after: first.messages.at(-1)?.id ?? 0 })
  return [...first.messages, ...next.messages]
}
