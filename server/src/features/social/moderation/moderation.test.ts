import { roles } from '@neuroloom/contract/accounts/roles'
import type { Body } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { type Member, makeCalls, makeGroup, makeMember, makePair } from '../../../../test/social.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { codeOf } from '../../../http/fail.ts'
import { auditEvents } from '../../../infra/audit.ts'
import { erase } from '../../accounts/cancel.ts'
import { users } from '../../accounts/tables.ts'
import { posts } from '../posts/tables.ts'
import { socialReports } from './tables.ts'

const SUCCESS = 10200
type Report = Pick<Body<'social/report'>, 'kind' | 'targetId'> & Partial<Body<'social/report'>>

let server: TestServer
let office: Session
beforeAll(async () => {
  server = await makeServer()
  office = await server.signUp({ role: roles.administrator, nickName: 'Office' })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.ctx.db.delete(socialReports)
})

let requests = 0
async function post(who: Session, text: string): Promise<string> {
  requests += 1
  return (await server.call('social/createPost', { requestId: `request-${requests}`, text }, who)).data.id
}
async function reply(who: Session, postId: string, text: string): Promise<string> {
  requests += 1
  return (await server.call('social/reply', { postId, requestId: `request-${requests}`, text }, who)).data.id
}
const report = (who: Session, body: Report) => server.call('social/report', { reason: 'spam', ...body }, who)
const listed = (state: 'open' | 'decided' = 'open', after: string | null = null) =>
  server.call('office/socialReports', { state, after }, office)
const decide = (reportId: string, decision: 'remove' | 'keep', who = office) =>
  server.call('office/decideSocialReport', { reportId, decision }, who)
async function firstReport(): Promise<string> {
  const [first] = (await listed()).data.reports
  return first?.id ?? ''
}
const membersOf = (...names: string[]): Promise<Member[]> =>
  Promise.all(names.map((name) => makeMember(server, name)))
async function two(): Promise<[Member, Member]> {
  const [one, other] = await membersOf('Ann', 'Ben')
  if (!one || !other) throw new Error('No members')
  return [one, other]
}

describe('a report', () => {
  it('keeps what was written at that moment, and is one for each member and thing', async () => {
    const [ann, ben] = await two()
    const postId = await post(ann, 'Buy my pills')
    const body = { kind: 'post', targetId: postId, reason: 'false_medical', text: 'Dangerous' } as const
    const answers = await Promise.all([1, 2, 3].map(() => report(ben, body)))
    expect(answers.map(({ code }) => code)).toEqual([SUCCESS, SUCCESS, SUCCESS])
    await server.call('social/editPost', { postId, text: 'Harmless' }, ann)
    const { data } = await listed()
    expect(data).toMatchObject({
      ...{ openCount: 1, next: null },
      reports: [
        {
          ...{ kind: 'post', reason: 'false_medical', text: 'Dangerous', content: 'Buy my pills' },
          ...{ about: { nickName: 'Ann' }, reporter: { nickName: 'Ben' }, state: 'open', decidedAt: null },
        },
      ],
    })
    await report(office, { kind: 'post', targetId: postId })
    expect((await listed()).data).toMatchObject({ openCount: 2, reports: [{}, { content: 'Harmless' }] })
  })

  it('is only of what its maker sees and did not write', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { send } = makeCalls(server)
    const messageId = String((await send(doctor, chatId, 'An insult')).data.id)
    const stranger = await makeMember(server, 'Stranger')
    const postId = await post(doctor, 'A post')
    const blockedBy = await makeMember(server, 'Cleo')
    const hidden = await post(blockedBy, 'Hidden')
    await server.call('social/block', { memberId: nurse.userId }, blockedBy)
    const cases = [
      [stranger, { kind: 'message', chatId, targetId: messageId }, 'chat_missing'],
      [nurse, { kind: 'message', targetId: messageId }, 'chat_missing'],
      [nurse, { kind: 'message', chatId, targetId: '99' }, 'message_missing'],
      [nurse, { kind: 'message', chatId, targetId: "1' or 1=1" }, 'message_missing'],
      [doctor, { kind: 'message', chatId, targetId: messageId }, 'message_missing'],
      [doctor, { kind: 'post', targetId: postId }, 'post_missing'],
      [nurse, { kind: 'post', targetId: hidden }, 'post_missing'],
      [nurse, { kind: 'member', targetId: blockedBy.userId }, 'member_missing'],
      [nurse, { kind: 'member', targetId: nurse.userId }, 'member_missing'],
      [nurse, { kind: 'reply', targetId: postId }, 'reply_missing'],
      [nurse, { kind: 'group', targetId: 'none' }, 'group_missing'],
    ] as const
    for (const [who, body, error] of cases)
      expect((await report(who, body)).data.error, JSON.stringify(body)).toBe(error)
    expect((await listed()).data.openCount).toBe(0)
    expect((await report(nurse, { kind: 'message', chatId, targetId: messageId })).code).toBe(SUCCESS)
    expect((await listed()).data.reports).toMatchObject([
      { content: 'An insult', about: { nickName: 'Doctor' } },
    ])
  })

  it('is one of a limited number in a day, also at once', async () => {
    const [ann, ben] = await two()
    const ids = Array.from({ length: limits.reports + 2 }, (_, index) => `reported-${index}`)
    const at = server.ctx.now()
    await server.ctx.db
      .insert(posts)
      .values(ids.map((id) => ({ id, authorId: ann.userId, requestId: id, text: id, searchText: id, at })))
    const answers = await Promise.all(ids.map((targetId) => report(ben, { kind: 'post', targetId })))
    const waiting = answers.filter(({ code }) => code === codeOf('tries_wait'))
    expect(waiting.length).toBe(2)
    expect(waiting[0]?.data.params).toEqual({ minutes: 24 * 60 })
  })
})

describe('administrators', () => {
  it('alone see and decide reports', async () => {
    const [ann, ben] = await two()
    await report(ben, { kind: 'post', targetId: await post(ann, 'Reported') })
    const reportId = await firstReport()
    for (const who of [ann, ben]) {
      const list = await server.call('office/socialReports', { state: 'open' }, who)
      expect([list.code, list.data]).toEqual([
        codeOf('not_allowed'),
        expect.not.objectContaining({ reports: [] }),
      ])
      expect((await decide(reportId, 'keep', who)).code).toBe(codeOf('not_allowed'))
    }
    expect((await decide('none', 'keep')).code).toBe(codeOf('report_missing'))
    expect((await server.call('office/socialReports', { state: 'open' }, null)).code).toBe(
      codeOf('not_signed_in'),
    )
  })

  it('decide each report once, also two at the same moment, and it is recorded', async () => {
    const [ann, ben] = await two()
    await report(ben, { kind: 'post', targetId: await post(ann, 'Reported') })
    const reportId = await firstReport()
    const answers = await Promise.all(
      (['remove', 'keep', 'remove', 'keep'] as const).map((decision) => decide(reportId, decision)),
    )
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === SUCCESS).length).toBe(1)
    expect(codes.filter((code) => code === codeOf('report_decided')).length).toBe(3)
    const events = await server.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.subject, `report:${reportId}`))
    expect(events.length).toBe(1)
    expect(events[0]).toMatchObject({
      actor: office.userId,
      action: expect.stringMatching(/^social\.(remove|keep)$/),
    })
    expect((await listed()).data.openCount).toBe(0)
    expect((await listed('decided')).data.reports).toMatchObject([{ decidedAt: expect.any(String) }])
  })

  it('do not decide about what they wrote', async () => {
    const [, ben] = await two()
    const postId = await post(office, 'Of the office')
    await report(ben, { kind: 'post', targetId: postId })
    const reportId = await firstReport()
    expect((await decide(reportId, 'keep')).code).toBe(codeOf('not_allowed'))
    const other = await server.signUp({ role: roles.administrator })
    expect((await decide(reportId, 'remove', other)).data.state).toBe('removed')
    expect((await server.call('social/post', { postId }, ben)).code).toBe(codeOf('post_missing'))
  })

  it('keep one report, and remove for all that reported the same', async () => {
    const [ann, ben] = await two()
    const targetId = await post(ann, 'Reported by three')
    const reporters = [ben, ...(await membersOf('Cleo', 'Dan'))]
    for (const who of reporters) await report(who, { kind: 'post', targetId })
    expect((await decide(await firstReport(), 'keep')).data.state).toBe('kept')
    expect((await listed()).data.openCount).toBe(2)
    expect((await decide(await firstReport(), 'remove')).data.state).toBe('removed')
    const { data } = await listed('decided')
    expect(data.reports.map(({ state }) => state).sort()).toEqual(['kept', 'removed', 'removed'])
    expect(data.openCount).toBe(0)
  })

  it('remove a reply, a message, an introduction, and what a group says of itself', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { send, texts } = makeCalls(server)
    const removeFirst = async () =>
      expect((await decide(await firstReport(), 'remove')).data.state).toBe('removed')

    const postId = await post(nurse, 'A post')
    await report(nurse, { kind: 'reply', targetId: await reply(doctor, postId, 'A bad reply') })
    await removeFirst()
    const { replies } = (await server.call('social/post', { postId }, nurse)).data
    expect(replies).toMatchObject([{ text: '', isDeleted: true }])

    const messageId = String((await send(doctor, chatId, 'A bad message')).data.id)
    await report(nurse, { kind: 'message', chatId, targetId: messageId })
    await removeFirst()
    expect(await texts(nurse, chatId)).toEqual([''])

    const card = {
      introduction: 'A bad introduction',
      shown: ['name' as const],
      canBeFound: true,
      showsOnline: true,
    }
    await server.call('social/editCard', card, doctor)
    await report(nurse, { kind: 'member', targetId: doctor.userId })
    expect((await listed()).data.reports).toMatchObject([{ content: 'Doctor\nA bad introduction' }])
    await removeFirst()
    expect((await server.call('social/ownCard', {}, doctor)).data).toEqual({ ...card, introduction: '' })

    const { id: groupId, number } = await makeGroup(server, [doctor, nurse])
    const words = { name: 'A bad name', introduction: 'A bad text', notice: 'A bad notice' }
    await server.call('social/editGroup', { groupId, ...words }, doctor)
    await report(nurse, { kind: 'group', targetId: groupId })
    expect((await listed()).data.reports).toMatchObject([{ content: 'A bad name\nA bad text\nA bad notice' }])
    await removeFirst()
    const { groups } = (await server.call('social/groups', {}, nurse)).data
    expect(groups).toMatchObject([{ name: number, introduction: '', notice: '' }])
  })

  it('find what waits longest first, page by page', async () => {
    const [ann, ben] = await two()
    const count = limits.page + 1
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ id: `waiting-${index}`, kind: 'post' as const, targetId: `${index}`, aboutId: ann.userId },
      ...{ reporterId: ben.userId, reason: 'spam' as const, text: '', content: `${index}` },
      ...{ at: new Date(Math.floor(index / 2)), state: 'open' as const },
    }))
    await server.ctx.db.insert(socialReports).values(rows)
    const first = (await listed()).data
    expect([first.reports.length, first.reports[0]?.at]).toEqual([limits.page, new Date(0).toISOString()])
    const second = (await listed('open', first.next)).data
    const ids = [...first.reports, ...second.reports].map(({ id }) => id)
    expect([new Set(ids).size, second.next]).toEqual([count, null])
    expect((await listed('decided', first.next)).code).toBe(codeOf('missing'))
  })
})

it('what a closed account wrote is no longer reported; what it reported stays, without its name and words', async () => {
  const [ann, ben] = await two()
  const cleo = await makeMember(server, 'Cleo')
  await report(ben, { kind: 'post', targetId: await post(ann, 'Of Ann'), text: 'Of Ben' })
  await report(ann, { kind: 'post', targetId: await post(ben, 'Of Ben') })
  await report(ben, { kind: 'post', targetId: await post(cleo, 'Of Cleo'), text: 'Of Ben' })
  await server.ctx.db.update(users).set({ cancelledAt: new Date() }).where(eq(users.id, ben.userId))
  const worker = makeWorker(server)
  await erase(worker, ben.userId)
  worker.engine.close()
  expect((await listed()).data.reports).toMatchObject([
    { content: 'Of Ann', text: '', reporter: { id: '', nickName: '' } },
    { content: 'Of Cleo', text: '', reporter: { id: '', nickName: '' } },
  ])
  expect(await server.ctx.db.$count(auditEvents, like(auditEvents.subject, 'report:%'))).toBeGreaterThan(0)
})
