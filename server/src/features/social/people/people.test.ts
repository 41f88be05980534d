import { roles } from '@neuroloom/contract/accounts/roles'
import { social as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { codeOf } from '../../../http/fail.ts'
import { notices } from '../../../infra/notices.ts'
import { erase } from '../../accounts/cancel.ts'
import { users } from '../../accounts/tables.ts'
import { applications, follows, friends } from './tables.ts'

const SUCCESS = 10200
type Member = Session & { account: string }

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
  // Accounts are made now: by the server's clock they are no new ones.
  server.forward(limits.newMs)
})
afterAll(() => server.close())

const join = (nickName: string, more: object = {}): Promise<Member> => server.signUp({ nickName, ...more })
const cardOf = (member: Session, who: Session) => server.call('social/card', { memberId: member.userId }, who)
const ask = (who: Session, member: Session, text = '') =>
  server.call('social/apply', { memberId: member.userId, text }, who)
const requestsOf = async (who: Session) => (await server.call('social/applications', {}, who)).data
const friendsOf = async (who: Session) => {
  const { data } = await server.call('social/friends', {}, who)
  return data.friends.map(({ nickName }) => nickName)
}
const noticesOf = async (who: Session) => {
  const rows = await server.ctx.db.select().from(notices).where(eq(notices.userId, who.userId))
  return rows.map(({ kind, params }) => ({ kind, params }))
}

async function answerTo(who: Session, accept: boolean): Promise<number> {
  const { applicationList } = await requestsOf(who)
  const waiting = applicationList.find(
    ({ direction, state }) => direction === 'received' && state === 'waiting',
  )
  const answered = await server.call(
    'social/answerApplication',
    { applicationId: waiting?.id ?? 'none', accept },
    who,
  )
  return answered.code
}

async function makeFriends(one: Session, other: Session): Promise<void> {
  await ask(one, other)
  expect((await ask(other, one)).data.isFriend).toBe(true)
}

async function show(who: Session, settings: object): Promise<void> {
  const nothing = { introduction: '', shown: [], canBeFound: false, showsOnline: false }
  expect((await server.call('social/editCard', { ...nothing, ...settings }, who)).code).toBe(SUCCESS)
}

/** More than sign up in a short time. */
async function manyMembers(name: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${name}${index}`)
  await server.ctx.pool.query(
    `insert into users (id, email_key, nick_name, password_hash)
      select id, id || '@example.test', id, '' from unnest($1::text[]) id`,
    [ids],
  )
  return ids
}

describe('a friend request', () => {
  it('reaches the other with its text and a notice, once however often it is sent, and makes both friends', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    const first = await ask(ann, ben, 'We met in Riga')
    expect(first.data).toMatchObject({ isFriend: false, application: 'sent' })
    expect((await ask(ann, ben, 'again')).data).toEqual(first.data)
    expect(await requestsOf(ben)).toMatchObject({
      unreadCount: 1,
      applicationList: [
        { direction: 'received', state: 'waiting', text: 'We met in Riga', person: { nickName: 'Ann' } },
      ],
    })
    expect(await noticesOf(ben)).toEqual([{ kind: 'friend_request', params: { member: 'Ann' } }])
    expect((await cardOf(ann, ben)).data.relation.application).toBe('received')

    expect(await answerTo(ben, true)).toBe(SUCCESS)
    expect(await answerTo(ben, true)).toBe(codeOf('application_missing'))
    expect([await friendsOf(ann), await friendsOf(ben)]).toEqual([['Ben'], ['Ann']])
    expect(await noticesOf(ann)).toEqual([{ kind: 'friend_accepted', params: { member: 'Ben' } }])
    expect((await requestsOf(ben)).unreadCount).toBe(0)
    expect((await ask(ann, ben)).data).toMatchObject({ isFriend: true, application: 'none' })
  })

  it('of two who ask each other at once makes one friendship', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    const answers = await Promise.all([ask(ann, ben), ask(ben, ann), ask(ann, ben), ask(ben, ann)])
    expect(answers.map(({ code }) => code)).toEqual([SUCCESS, SUCCESS, SUCCESS, SUCCESS])
    expect([await friendsOf(ann), await friendsOf(ben)]).toEqual([['Ben'], ['Ann']])
    expect([(await requestsOf(ann)).unreadCount, (await requestsOf(ben)).unreadCount]).toEqual([0, 0])
  })

  it('that was refused reads as sent to its sender, and reaches the other again only after a day', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    await ask(ann, ben)
    expect(await answerTo(ben, false)).toBe(SUCCESS)
    expect((await cardOf(ben, ann)).data.relation.application).toBe('sent')
    expect((await requestsOf(ann)).applicationList[0]?.state).toBe('waiting')
    expect((await ask(ann, ben)).data.application).toBe('sent')
    expect((await requestsOf(ben)).unreadCount).toBe(0)
    expect(await noticesOf(ann)).toEqual([])

    // Asked long ago, refused just now: what is asked again is not shown to the other either.
    const dayAgo = new Date(server.ctx.now().getTime() - limits.reapplyMs)
    const isIt = eq(applications.fromId, ann.userId)
    await server.ctx.db.update(applications).set({ at: dayAgo }).where(isIt)
    expect((await cardOf(ben, ann)).data.relation.application).toBe('none')
    expect((await ask(ann, ben)).data.application).toBe('sent')
    expect((await requestsOf(ben)).unreadCount).toBe(0)

    await server.ctx.db.update(applications).set({ at: dayAgo, answeredAt: dayAgo }).where(isIt)
    expect((await ask(ann, ben)).data.application).toBe('sent')
    expect((await requestsOf(ben)).unreadCount).toBe(1)
    expect((await noticesOf(ben)).length).toBe(2)
  })

  it('to oneself, to nobody, to a service provider and with control characters is refused', async () => {
    const [ann, provider] = [await join('Ann'), await join('Ben', { role: roles.provider })]
    const nobody = { userId: 'nobody', token: '' }
    for (const other of [ann, provider, nobody])
      expect((await ask(ann, other)).code).toBe(codeOf('member_missing'))
    const other = await join('Cleo')
    expect((await ask(ann, other, 'a\u0007')).data.fields).toEqual({ text: 'form.invalid' })
    expect((await ask(ann, other, '\u202eabc\0')).code).toBe(SUCCESS)
    expect((await requestsOf(other)).applicationList[0]?.text).toBe('abc')
  })

  it('of others is nobody’s to answer', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    await ask(ann, ben)
    const applicationId = (await requestsOf(ben)).applicationList[0]?.id ?? ''
    for (const who of [ann, cleo]) {
      const { code } = await server.call('social/answerApplication', { applicationId, accept: true }, who)
      expect(code).toBe(codeOf('application_missing'))
    }
  })

  it('makes no more friends than the limit, however many are accepted at once', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    const many = await manyMembers('friend', limits.friends - 1)
    const since = new Date()
    await server.ctx.db
      .insert(friends)
      .values(many.map((id) => ({ userId: ann.userId, friendId: id, since })))
    await ask(ben, ann)
    await ask(cleo, ann)
    const { applicationList } = await requestsOf(ann)
    const codes = await Promise.all(
      applicationList.map(async ({ id: applicationId }) => {
        const { code } = await server.call('social/answerApplication', { applicationId, accept: true }, ann)
        return code
      }),
    )
    expect(codes.sort()).toEqual([SUCCESS, codeOf('too_many_friends')])
    // Of the other side as well.
    const late = await join('Late')
    await ask(ann, late)
    expect(await answerTo(late, true)).toBe(codeOf('too_many_friends'))
  })

  it('ends with the friendship: both may ask again at once', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    await makeFriends(ann, ben)
    await server.call('social/unfriend', { memberId: ben.userId }, ann)
    expect([await friendsOf(ann), await friendsOf(ben)]).toEqual([[], []])
    expect((await ask(ben, ann)).data.application).toBe('sent')
    expect((await ask(ann, ben)).data.isFriend).toBe(true)
  })

  it('comes slower from accounts that were made today', async () => {
    const fresh = await join('Fresh')
    const createdAt = server.ctx.now()
    await server.ctx.db.update(users).set({ createdAt }).where(eq(users.id, fresh.userId))
    const others = await Promise.all(
      Array.from({ length: limits.newApplications + 2 }, (_, index) => join(`Other ${index}`)),
    )
    const answers = await Promise.all(others.map((other) => ask(fresh, other)))
    const slow = answers.filter(({ code }) => code === codeOf('social_slow'))
    expect(slow.length).toBe(2)
    expect(slow[0]?.data.params).toEqual({ seconds: expect.any(Number) })
    expect(answers.filter(({ code }) => code === SUCCESS).length).toBe(limits.newApplications)
  })
})

describe('a card', () => {
  const profile = {
    ...{ name: 'Ann', surname: 'Berg', organ: 'City Hospital', dept: 'Cardiology' },
    ...{ appellation: 'doctor', country: 'LV', email: 'ann@berg.test', phone: '+37120000000' },
  }

  it('shows nothing of the profile unless its owner chose it, and never what has no field', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    await server.ctx.db.update(users).set(profile).where(eq(users.id, ann.userId))
    const { data } = await cardOf(ann, ben)
    expect(data).toMatchObject({ nickName: 'Ann', introduction: '', fields: [], isOnline: null })
    await show(ann, { introduction: 'Hearts', shown: ['department', 'name'] })
    const { data: shown } = await cardOf(ann, ben)
    expect(shown).toMatchObject({
      introduction: 'Hearts',
      fields: [
        { field: 'name', value: 'Ann Berg' },
        { field: 'department', value: 'Cardiology' },
      ],
    })
    expect(JSON.stringify(shown)).not.toMatch(/City|ann@|3712/)
    expect((await server.call('social/ownCard', {}, ann)).data).toMatchObject({
      shown: ['name', 'department'],
    })
  })

  it('tells who is online only among those who show it', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    await makeFriends(ann, ben)
    await show(ann, { showsOnline: true })
    expect((await cardOf(ann, ben)).data.isOnline).toBeNull()
    await show(ben, { showsOnline: true })
    expect((await cardOf(ann, ben)).data.isOnline).toBe(true)
    server.forward(limits.onlineMs)
    const { data } = await server.call('social/friends', {}, ben)
    expect(data.friends[0]?.isOnline).toBe(false)
  })

  it('counts follows, fans and posts, and lists both', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    const follow = (who: Session, member: Session) =>
      server.call('social/follow', { memberId: member.userId }, who)
    expect((await follow(ben, ann)).data.isFollowed).toBe(true)
    expect((await follow(ben, ann)).data.isFollowed).toBe(true)
    server.forward(1)
    await follow(cleo, ann)
    await follow(ann, cleo)
    expect((await cardOf(ann, ben)).data.counts).toEqual({ follows: 1, fans: 2, posts: 0 })
    const fans = await server.call('social/fans', { memberId: ann.userId }, ann)
    expect(fans.data.people.map(({ nickName }) => nickName)).toEqual(['Cleo', 'Ben'])
    const followed = await server.call('social/follows', { memberId: ann.userId }, ben)
    expect(followed.data.people.map(({ nickName }) => nickName)).toEqual(['Cleo'])
    await server.call('social/unfollow', { memberId: ann.userId }, cleo)
    expect((await cardOf(ann, ben)).data.counts.fans).toBe(1)
  })
})

describe('members are found', () => {
  const find = async (text: string, who: Session) => {
    const { data } = await server.call('social/findPeople', { text }, who)
    return data.people
  }

  it('by their exact account always, by a part of the nickname only where they want it, and nothing else is told', async () => {
    const [ann, ben] = [await join('Quirina Vale'), await join('Ben')]
    expect(await find('quirina', ben)).toEqual([])
    expect(await find(ann.account.slice(0, -1), ben)).toEqual([])
    const person = { id: ann.userId, nickName: 'Quirina Vale', photo: '' }
    expect(await find(ann.account.toUpperCase(), ben)).toEqual([person])
    await show(ann, { canBeFound: true })
    expect(await find('RINA V', ben)).toEqual([person])
    expect(await find('rina_v', ben)).toEqual([])
    const phone = await join('By phone', { account: '+371 2000-0001' })
    expect((await find('0037120000001', ben)).map(({ id }) => id)).toEqual([phone.userId])
  })

  it('but never oneself, closed accounts, those an administrator blocked, and service providers', async () => {
    const ben = await join('Zenobia the searcher')
    const [closed, blocked] = [await join('Zenobia Closed'), await join('Zenobia Blocked')]
    const provider = await join('Zenobia Provider', { role: roles.provider })
    for (const one of [ben, closed, blocked]) await show(one, { canBeFound: true })
    await server.ctx.db.update(users).set({ blockedAt: new Date() }).where(eq(users.id, blocked.userId))
    await server.call('user/cancel', { password: PASSWORD }, closed)
    expect(await find('zenobia', ben)).toEqual([])
    for (const { account } of [ben, closed, blocked, provider]) expect(await find(account, ben)).toEqual([])
  })

  it('not by guessing: searches that find nobody are limited, also at once', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    const guesses = Array.from({ length: limits.tries + 3 }, (_, index) =>
      server.call('social/findPeople', { text: `guess${index}@example.test` }, ben),
    )
    const codes = (await Promise.all(guesses)).map(({ code }) => code)
    expect(codes.filter((code) => code === codeOf('tries_wait')).length).toBe(3)
    expect((await server.call('social/findPeople', { text: ann.account }, ben)).code).toBe(
      codeOf('tries_wait'),
    )
    server.forward(limits.triesMs)
    expect((await find(ann.account, ben)).length).toBe(1)
  })
})

describe('a block', () => {
  it('ends friendship, follows and requests, and to the blocked one the member is not there', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    await makeFriends(ann, ben)
    await server.call('social/follow', { memberId: ann.userId }, ben)
    await server.call('social/follow', { memberId: ben.userId }, ann)
    expect((await server.call('social/block', { memberId: ben.userId }, ann)).code).toBe(SUCCESS)
    expect([await friendsOf(ann), await friendsOf(ben)]).toEqual([[], []])
    expect((await requestsOf(ben)).applicationList).toEqual([])

    const unknown = { userId: 'unknown', token: '' }
    const paths = ['social/card', 'social/apply', 'social/follow', 'social/fans', 'social/block'] as const
    for (const path of paths) {
      const [asked, nothing] = await Promise.all(
        [ann, unknown].map(({ userId: memberId }) => server.call(path, { memberId }, ben)),
      )
      expect(asked, path).toMatchObject({ code: codeOf('member_missing'), message: nothing?.message })
      expect(asked?.data, path).toEqual(nothing?.data)
    }
    expect((await server.call('social/findPeople', { text: ann.account }, ben)).data.people).toEqual([])
    expect((await server.call('social/findPeople', { text: ben.account }, ann)).data.people).toEqual([])
  })

  it('leaves to its maker the name, to take it back; what it ended stays ended', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    await show(ben, { introduction: 'Secret', shown: ['email'] })
    await makeFriends(ann, ben)
    await server.call('social/block', { memberId: ben.userId }, ann)
    const { data } = await cardOf(ben, ann)
    expect(data).toMatchObject({
      nickName: 'Ben',
      introduction: '',
      fields: [],
      relation: { isBlocked: true },
    })
    expect((await ask(ann, ben)).code).toBe(codeOf('social_refused'))
    const blocked = await server.call('social/blocked', {}, ann)
    expect(blocked.data.people.map(({ nickName }) => nickName)).toEqual(['Ben'])
    await server.call('social/unblock', { memberId: ben.userId }, ann)
    expect((await cardOf(ann, ben)).data.relation).toMatchObject({ isFriend: false, isBlocked: false })
    expect(await friendsOf(ann)).toEqual([])
  })

  it('hides each from lists of a third member', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    for (const who of [ann, ben]) await server.call('social/follow', { memberId: cleo.userId }, who)
    await server.call('social/block', { memberId: ben.userId }, ann)
    const fansFor = async (who: Session) => {
      const { data } = await server.call('social/fans', { memberId: cleo.userId }, who)
      return data.people.map(({ nickName }) => nickName).sort()
    }
    expect([await fansFor(ann), await fansFor(ben), await fansFor(cleo)]).toEqual([
      ['Ann'],
      ['Ben'],
      ['Ann', 'Ben'],
    ])
  })

  it('and a request at the same moment leave no friendship', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    await ask(ben, ann)
    await Promise.all([ask(ann, ben), server.call('social/block', { memberId: ann.userId }, ben)])
    expect([await friendsOf(ann), await friendsOf(ben)]).toEqual([[], []])
    expect((await requestsOf(ann)).applicationList).toEqual([])
  })
})

it('lists are paged, and a page of another list is refused', async () => {
  const ann = await join('Ann')
  const many = await manyMembers('fan', limits.page + 1)
  const rows = many.map((id) => ({ userId: id, memberId: ann.userId, at: new Date(0) }))
  await server.ctx.db.insert(follows).values(rows)
  const first = await server.call('social/fans', { memberId: ann.userId }, ann)
  expect(first.data.people.length).toBe(limits.page)
  const after = first.data.next
  const second = await server.call('social/fans', { memberId: ann.userId, after }, ann)
  expect(second.data).toMatchObject({ people: [expect.anything()], next: null })
  const ids = [...first.data.people, ...second.data.people].map(({ id }) => id)
  expect(new Set(ids).size).toBe(many.length)
  const other = await server.call('social/follows', { memberId: ann.userId, after }, ann)
  expect(other.code).toBe(codeOf('missing'))
})

it('of a closed account nothing is left with others', async () => {
  const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
  await makeFriends(ann, ben)
  await ask(cleo, ben)
  await server.call('social/follow', { memberId: ann.userId }, ben)
  await server.call('user/cancel', { password: PASSWORD }, ben)
  // At once, before anything of it is deleted.
  expect(await friendsOf(ann)).toEqual([])
  expect((await cardOf(ben, ann)).code).toBe(codeOf('member_missing'))
  expect((await requestsOf(cleo)).applicationList).toEqual([])
  expect((await cardOf(ann, cleo)).data.counts.fans).toBe(0)
  const worker = makeWorker(server)
  await erase(worker, ben.userId)
  worker.engine.close()
  expect(await server.ctx.db.$count(friends, eq(friends.userId, ann.userId))).toBe(0)
})

it('service providers have no social centre', async () => {
  const provider = await join('Provider', { role: roles.provider })
  const calls = await Promise.all([
    server.call('social/ownCard', {}, provider),
    server.call('social/friends', {}, provider),
    server.call('social/findPeople', { text: 'Ann' }, provider),
  ])
  expect(calls.map(({ code }) => code)).toEqual(calls.map(() => codeOf('not_allowed')))
})
