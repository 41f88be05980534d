import { social as limits } from '@neuroloom/contract/limits'
import type { Post } from '@neuroloom/contract/social/posts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { codeOf } from '../../../http/fail.ts'
import { notices } from '../../../infra/notices.ts'
import { erase } from '../../accounts/cancel.ts'
import { users } from '../../accounts/tables.ts'
import { posts, replies } from './tables.ts'

const SUCCESS = 10200
type Feed = Parameters<typeof feedOf>[1]

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
  // Accounts are made now: by the server's clock they are no new ones.
  server.forward(limits.newMs)
})
afterAll(() => server.close())

const join = (nickName: string) => server.signUp({ nickName })
let requests = 0
const newRequest = () => `request-${++requests}`

async function post(who: Session, text: string): Promise<Post> {
  // Feeds go by time.
  server.forward(1)
  const { data, message } = await server.call('social/createPost', { requestId: newRequest(), text }, who)
  expect(message).toBe('success')
  return data
}
const reply = (who: Session, postId: string, text: string, parentId: string | null = null) =>
  server.call('social/reply', { postId, parentId, requestId: newRequest(), text }, who)
const open = (who: Session, postId: string) => server.call('social/post', { postId }, who)
const feedOf = (
  who: Session,
  feed: Parameters<typeof server.call<'social/posts'>>[1]['feed'],
  after: string | null = null,
) => server.call('social/posts', { feed, after }, who)
const textsOf = async (who: Session, feed: Feed) =>
  (await feedOf(who, feed)).data.posts.map(({ text }) => text)
const block = (who: Session, member: Session) => server.call('social/block', { memberId: member.userId }, who)

describe('a post', () => {
  it('is one for each request, also at once, and has its topics', async () => {
    const ann = await join('Ann')
    const body = { requestId: newRequest(), text: 'On #Valves and #heart valves #valves' }
    const sent = await Promise.all([1, 2, 3].map(() => server.call('social/createPost', body, ann)))
    expect(new Set(sent.map(({ data }) => data.id)).size).toBe(1)
    expect(sent[0]?.data).toMatchObject({
      ...{ text: body.text, topics: ['valves', 'heart'], isOwn: true, editedAt: null },
      ...{ likeCount: 0, replyCount: 0, author: { id: ann.userId, nickName: 'Ann' } },
    })
    expect(await server.ctx.db.$count(posts, eq(posts.authorId, ann.userId))).toBe(1)
  })

  it('is kept as text, without what deceives the eye', async () => {
    const ann = await join('Ann')
    const hostile = '<script>alert(1)</script> \u202e\u2066abc\0 {{x}} %_\\'
    expect((await post(ann, hostile)).text).toBe('<script>alert(1)</script> abc {{x}} %_\\')
    for (const text of ['a\u0007b', '\u202e', ' \0 '])
      expect(
        (await server.call('social/createPost', { requestId: newRequest(), text }, ann)).code,
        JSON.stringify(text),
      ).toBe(codeOf('invalid'))
    expect(await textsOf(ann, { of: 'text', text: '%_\\' })).toEqual([
      '<script>alert(1)</script> abc {{x}} %_\\',
    ])
  })

  it('is changed and deleted by its author alone; what it said before stays in its history', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    const { id: postId, at } = await post(ann, 'First #one')
    server.forward(1000)
    const edit = (text: string, who: Session) => server.call('social/editPost', { postId, text }, who)
    const second = (await edit('Second #two', ann)).data
    expect(second).toMatchObject({ text: 'Second #two', topics: ['two'] })
    server.forward(1000)
    await edit('Third', ann)
    expect((await edit('Third', ann)).code).toBe(SUCCESS)
    const history = (await server.call('social/postHistory', { postId }, ben)).data.versions
    expect(history).toEqual([
      { text: 'Second #two', at: second.editedAt },
      { text: 'First #one', at },
    ])
    expect(await textsOf(ben, { of: 'topic', topic: 'one' })).toEqual([])

    expect((await edit('Taken over', ben)).code).toBe(codeOf('not_allowed'))
    expect((await server.call('social/deletePost', { postId }, ben)).code).toBe(codeOf('not_allowed'))
    await reply(ben, postId, 'A reply')
    expect((await server.call('social/deletePost', { postId }, ann)).code).toBe(SUCCESS)
    for (const path of ['social/post', 'social/postHistory', 'social/deletePost'] as const)
      expect((await server.call(path, { postId }, ann)).code).toBe(codeOf('post_missing'))
    expect(await server.ctx.db.$count(replies, eq(replies.postId, postId))).toBe(0)
  })

  it('is liked once by each member, also by 50 calls at once', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    const { id: postId } = await post(ann, 'Likes')
    const like = (isLiked: boolean, who: Session) => server.call('social/like', { postId, isLiked }, who)
    const answers = await Promise.all(Array.from({ length: 50 }, () => like(true, ben)))
    expect(answers.map(({ data }) => data.likeCount)).toEqual(answers.map(() => 1))
    expect((await like(true, ann)).data.likeCount).toBe(2)
    expect((await open(ben, postId)).data.post).toMatchObject({ likeCount: 2, isLiked: true })
    expect((await like(false, ben)).data.likeCount).toBe(1)
    expect((await open(ben, postId)).data.post).toMatchObject({ likeCount: 1, isLiked: false })
    expect((await server.call('social/like', { postId: 'none', isLiked: true }, ben)).code).toBe(
      codeOf('post_missing'),
    )
  })

  it('comes slower from accounts that were made today, also at once', async () => {
    const fresh = await join('Fresh')
    const createdAt = server.ctx.now()
    await server.ctx.db.update(users).set({ createdAt }).where(eq(users.id, fresh.userId))
    const send = () => server.call('social/createPost', { requestId: newRequest(), text: 'Buy' }, fresh)
    const answers = await Promise.all(Array.from({ length: limits.newPosted + 3 }, send))
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === codeOf('social_slow')).length).toBe(3)
    server.forward(limits.rateMs)
    expect((await send()).code).toBe(SUCCESS)
  })
})

describe('posts are listed', () => {
  it('of everybody, of those one follows, of a member, of a topic and by text', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    await post(ann, 'Ann on #Лёгкие')
    await post(ben, 'Ben on #лёгкие and MITRAL Valves')
    await post(cleo, 'Cleo')
    await server.call('social/follow', { memberId: ben.userId }, ann)
    expect((await textsOf(ann, { of: 'all' })).slice(0, 3)).toEqual([
      'Cleo',
      'Ben on #лёгкие and MITRAL Valves',
      'Ann on #Лёгкие',
    ])
    expect(await textsOf(ann, { of: 'followed' })).toEqual(['Ben on #лёгкие and MITRAL Valves'])
    expect(await textsOf(ann, { of: 'member', memberId: cleo.userId })).toEqual(['Cleo'])
    for (const topic of ['ЛЁГКИЕ', '#лёгкие', 'ле\u0308гкие'])
      expect((await textsOf(cleo, { of: 'topic', topic })).length, topic).toBe(2)
    expect(await textsOf(ann, { of: 'text', text: 'mitral v' })).toEqual(['Ben on #лёгкие and MITRAL Valves'])
    expect((await feedOf(ann, { of: 'member', memberId: 'nobody' })).code).toBe(codeOf('member_missing'))
    const { topics } = (await server.call('social/topics', {}, ann)).data
    expect(topics).toContainEqual({ topic: 'лёгкие', posts: 2 })
  })

  it('page by page, each once, also when new ones come meanwhile', async () => {
    const ann = await join('Ann')
    const count = limits.posts * 2 + 3
    const at = server.ctx.now()
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ id: `paged${index}`, authorId: ann.userId, requestId: `paged${index}` },
      // Some at the same moment.
      ...{ text: `${index}`, searchText: `${index}`, at: new Date(at.getTime() - Math.floor(index / 3)) },
    }))
    await server.ctx.db.insert(posts).values(rows)
    const feed = { of: 'member', memberId: ann.userId } as const
    const seen: string[] = []
    let after: string | null = null
    let pages = 0
    do {
      const { data } = await feedOf(ann, feed, after)
      seen.push(...data.posts.map(({ id }) => id))
      after = data.next
      pages += 1
      if (pages === 1) await post(ann, 'New')
    } while (after !== null)
    expect(pages).toBe(3)
    expect(seen.length).toBe(count)
    expect(new Set(seen)).toEqual(new Set(rows.map(({ id }) => id)))

    const { data } = await feedOf(ann, feed)
    for (const [other, cursor] of [
      [{ of: 'all' }, data.next],
      [feed, 'x.y'],
    ] as const)
      expect((await feedOf(ann, other, cursor)).code).toBe(codeOf('missing'))
  })

  it('topics of the last 30 days alone', async () => {
    const ann = await join('Ann')
    const { id } = await post(ann, '#bygone')
    const at = new Date(server.ctx.now().getTime() - (limits.topicDays + 1) * 86_400_000)
    await server.ctx.db.update(posts).set({ at }).where(eq(posts.id, id))
    const { topics } = (await server.call('social/topics', {}, ann)).data
    expect(topics.map(({ topic }) => topic)).not.toContain('bygone')
  })
})

describe('replies', () => {
  it('stand in threads below their post, once for each request, and its author is told', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    const { id: postId } = await post(ann, 'A question')
    const body = { postId, requestId: newRequest(), text: 'An answer' }
    const sent = await Promise.all([1, 2, 3].map(() => server.call('social/reply', body, ben)))
    const first = sent[0]?.data
    expect(new Set(sent.map(({ data }) => data.id)).size).toBe(1)
    server.forward(1)
    const second = (await reply(cleo, postId, 'To that answer', first?.id)).data
    server.forward(1)
    await reply(ann, postId, 'Thanks', second.id)
    const { data } = await open(ben, postId)
    expect(data.post.replyCount).toBe(3)
    expect(data.replies.map(({ text, parentId, author }) => [author.nickName, text, parentId])).toEqual([
      ['Ben', 'An answer', null],
      ['Cleo', 'To that answer', first?.id],
      ['Ann', 'Thanks', second.id],
    ])
    const told = await server.ctx.db.select().from(notices).where(eq(notices.userId, ann.userId))
    expect(told.map(({ kind, params }) => ({ kind, params }))).toEqual([
      { kind: 'post_reply', params: { member: 'Ben', postId } },
      { kind: 'post_reply', params: { member: 'Cleo', postId } },
    ])
  })

  it('are deleted by their author or the author of the post; answers to them stay', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    const { id: postId } = await post(ann, 'A question')
    const mine = (await reply(ben, postId, 'Mine')).data
    server.forward(1)
    const answer = (await reply(cleo, postId, 'An answer', mine.id)).data
    const remove = (replyId: string, who: Session) => server.call('social/deleteReply', { replyId }, who)
    expect((await remove(mine.id, cleo)).code).toBe(codeOf('not_allowed'))
    expect((await remove(mine.id, ben)).code).toBe(SUCCESS)
    expect((await open(cleo, postId)).data).toMatchObject({
      post: { replyCount: 1 },
      replies: [
        { id: mine.id, text: '', isDeleted: true },
        { id: answer.id, text: 'An answer', parentId: mine.id, isDeleted: false },
      ],
    })
    expect((await reply(cleo, postId, 'Too late', mine.id)).code).toBe(codeOf('reply_missing'))
    expect((await remove(answer.id, ann)).code).toBe(SUCCESS)
    expect((await remove(answer.id, ann)).code).toBe(codeOf('reply_missing'))
  })

  it('answer replies of the same post alone, and no more than the limit', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    const [one, other] = [await post(ann, 'One'), await post(ann, 'Other')]
    const { id: parentId } = (await reply(ben, one.id, 'Below one')).data
    expect((await reply(ben, other.id, 'Below the other', parentId)).code).toBe(codeOf('reply_missing'))
    expect((await reply(ben, 'none', 'Nowhere')).code).toBe(codeOf('post_missing'))
    const many = Array.from({ length: limits.replies - 1 }, (_, index) => ({
      ...{ id: `reply${index}`, postId: other.id, authorId: ann.userId, requestId: `reply${index}` },
      ...{ text: 'x', at: new Date(0) },
    }))
    await server.ctx.db.insert(replies).values(many)
    const codes = await Promise.all(['a', 'b'].map(async (text) => (await reply(ben, other.id, text)).code))
    expect(codes.sort()).toEqual([SUCCESS, codeOf('too_many_replies')])
  })
})

describe('between members who blocked one another', () => {
  it('posts are not there for either, in no list and by no address', async () => {
    const [ann, ben] = [await join('Ann'), await join('Ben')]
    const [anns, bens] = [await post(ann, 'Of Ann #blocking'), await post(ben, 'Of Ben #blocking')]
    await block(ann, ben)
    for (const [who, hidden, own] of [
      [ann, bens, anns],
      [ben, anns, bens],
    ] as const) {
      expect(await textsOf(who, { of: 'topic', topic: 'blocking' })).toEqual([own.text])
      expect(await textsOf(who, { of: 'text', text: '#blocking' })).toEqual([own.text])
      expect(await textsOf(who, { of: 'all' })).not.toContain(hidden.text)
      const { topics } = (await server.call('social/topics', {}, who)).data
      expect(topics).toContainEqual({ topic: 'blocking', posts: 1 })
      const asked = [
        open(who, hidden.id),
        reply(who, hidden.id, 'Hello'),
        server.call('social/like', { postId: hidden.id, isLiked: true }, who),
        server.call('social/editPost', { postId: hidden.id, text: 'x' }, who),
        server.call('social/postHistory', { postId: hidden.id }, who),
      ]
      const codes = (await Promise.all(asked)).map(({ code }) => code)
      expect(codes).toEqual(codes.map(() => codeOf('post_missing')))
    }
  })

  it('replies below posts of others are hidden; where somebody answered one, its place stays without a name', async () => {
    const [ann, ben, cleo] = [await join('Ann'), await join('Ben'), await join('Cleo')]
    const { id: postId } = await post(cleo, 'Of Cleo')
    const answered = (await reply(ben, postId, 'Answered')).data
    server.forward(1)
    const alone = (await reply(ben, postId, 'Alone')).data
    server.forward(1)
    await reply(cleo, postId, 'The answer', answered.id)
    await block(ann, ben)
    const { data } = await open(ann, postId)
    expect(data.post.replyCount).toBe(1)
    expect(data.replies).toMatchObject([
      { id: answered.id, text: '', isDeleted: true, author: { id: '', nickName: '' } },
      { text: 'The answer', parentId: answered.id },
    ])
    expect((await reply(ann, postId, 'Hello', alone.id)).code).toBe(codeOf('reply_missing'))
    const { code } = await server.call('social/deleteReply', { replyId: alone.id }, ann)
    expect(code).toBe(codeOf('reply_missing'))
    expect((await open(cleo, postId)).data.replies.length).toBe(3)
  })
})

it('of a closed account posts and replies are gone at once, and only the places of its replies stay', async () => {
  const [ann, ben] = [await join('Ann'), await join('Ben')]
  const [anns, bens] = [await post(ann, 'Of Ann'), await post(ben, 'Of Ben')]
  const { id } = (await reply(ann, bens.id, 'A reply')).data
  await reply(ben, bens.id, 'The answer', id)
  await server.call('user/cancel', { password: PASSWORD }, ann)
  const place = { id, text: '', isDeleted: true, author: { nickName: '' } }
  expect((await open(ben, anns.id)).code).toBe(codeOf('post_missing'))
  expect((await open(ben, bens.id)).data.replies[0]).toMatchObject(place)
  const worker = makeWorker(server)
  await erase(worker, ann.userId)
  worker.engine.close()
  expect(await server.ctx.db.$count(posts, eq(posts.id, anns.id))).toBe(0)
  const { data } = await open(ben, bens.id)
  expect(data.replies).toMatchObject([place, { text: 'The answer', parentId: id }])
  const [stored] = await server.ctx.db.select().from(replies).where(eq(replies.id, id))
  expect(stored).toMatchObject({ text: '', authorId: null })
})
