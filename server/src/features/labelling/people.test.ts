import type { Body } from '@neuroloom/contract/calls'
import { labelling as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeSet, nameReader } from '../../../test/labels.ts'
import { notices } from '../../infra/notices.ts'
import { users } from '../accounts/tables.ts'
import { labelComments } from './tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

type Named = Session & { account: string }
const noticesOf = async ({ userId }: Session) =>
  (await server.ctx.db.select().from(notices).where(eq(notices.userId, userId))).map(({ kind }) => kind)

async function makeStage(more: object = {}) {
  const [owner, reader, reviewer, foreign] = await Promise.all([
    server.signUp({ nickName: 'Owner' }),
    server.signUp({ nickName: 'Reader' }),
    server.signUp({ nickName: 'Reviewer' }),
    server.signUp(),
  ])
  const set = await makeSet(server, owner, more)
  const add = ({ account }: Named, permission: 'read' | 'review') =>
    server.call('labelling/addReader', { id: set.id, account, permission }, owner)
  const [asReader, asReviewer] = [await add(reader, 'read'), await add(reviewer, 'review')]
  return { owner, reader, reviewer, foreign, set, asReader: asReader.data, asReviewer: asReviewer.data }
}

const open = async (itemId: string, who: Session) => {
  const { data } = await server.call('labelling/open', { itemId }, who)
  return data.reading?.id ?? ''
}

describe('readers', () => {
  it('are named by account, told of it, seen with how far they are, and told when it ends', async () => {
    const { owner, reader, set, asReader } = await makeStage()
    expect(asReader).toMatchObject({
      member: { nickName: 'Reader', account: reader.account },
      permission: 'read',
      progress: { open: 0, done: 0, accepted: 0, returned: 0 },
    })
    const readingId = await open(set.items[0]?.id ?? '', reader)
    await open(set.items[1]?.id ?? '', reader)
    await server.call('labelling/setState', { readingId, state: 'done' }, reader)
    const { data } = await server.call('labelling/readers', { id: set.id }, owner)
    expect(data).toMatchObject({ own: { open: 0 }, namePatients: 0 })
    expect(
      data.readers.map(({ permission, progress }) => [permission, progress.done, progress.open]).sort(),
    ).toEqual([
      ['read', 1, 1],
      ['review', 0, 0],
    ])
    const { id: readerId } = asReader
    await server.call('labelling/changeReader', { readerId, permission: 'review' }, owner)
    expect((await server.call('labelling/detail', { id: set.id }, reader)).data.right).toBe('review')
    await server.call('labelling/removeReader', { readerId }, owner)
    expect((await server.call('labelling/detail', { id: set.id }, reader)).data).toMatchObject({
      error: 'label_set_missing',
    })
    expect(await noticesOf(reader)).toEqual(['labels_shared', 'labels_unshared'])
    // The marks stay.
    const { data: left } = await server.call('labelling/readings', { itemId: set.items[0]?.id ?? '' }, owner)
    expect(left.readings).toMatchObject([{ id: readingId, reader: 'Reader', state: 'done' }])
  })

  it('see a set no longer whose owner has closed the account, in lists neither', async () => {
    const { owner, reader, set } = await makeStage()
    const seen = async () => (await server.call('labelling/list', {}, reader)).data.sets.map(({ id }) => id)
    expect(await seen()).toEqual([set.id])
    const closed = { cancelledAt: server.ctx.now() }
    await server.ctx.db.update(users).set(closed).where(eq(users.id, owner.userId))
    expect(await seen()).toEqual([])
    expect((await server.call('labelling/detail', { id: set.id }, reader)).data).toMatchObject({
      error: 'label_set_missing',
    })
  })

  it('leave by themselves, once', async () => {
    const { reviewer, set } = await makeStage()
    expect((await server.call('labelling/leave', { id: set.id }, reviewer)).code).toBe(10200)
    expect((await server.call('labelling/leave', { id: set.id }, reviewer)).data).toMatchObject({
      error: 'label_set_missing',
    })
  })

  it('are not named twice, not from among nobody, not oneself, and no more than fit', async () => {
    const { owner, reader, set } = await makeStage()
    const add = (account: string) =>
      server.call('labelling/addReader', { id: set.id, account, permission: 'read' }, owner)
    expect((await add(reader.account)).data).toMatchObject({ error: 'share_twice' })
    expect((await add('nobody@example.test')).data).toMatchObject({ error: 'account_missing' })
    expect((await add(owner.account)).data).toMatchObject({ error: 'share_self' })
    const { data } = await server.call('labelling/readers', { id: set.id }, owner)
    for (let more = 2; more < data.limit; more += 1)
      await nameReader(server, { setId: set.id, reader: await server.signUp(), permission: 'read' })
    expect((await add((await server.signUp()).account)).data).toMatchObject({ error: 'share_limit' })
  })

  it('hear that a reviewer gave their labels back', async () => {
    const { reader, reviewer, set } = await makeStage()
    const readingId = await open(set.items[0]?.id ?? '', reader)
    await server.call('labelling/setState', { readingId, state: 'done' }, reader)
    await server.call('labelling/setState', { readingId, state: 'returned' }, reviewer)
    expect(await noticesOf(reader)).toEqual(['labels_shared', 'labels_returned'])
  })
})

describe('what is said about an image', () => {
  const say = (who: Session, body: Body<'labelling/comment'>) => server.call('labelling/comment', body, who)
  const textsFor = async (itemId: string, who: Session) =>
    (await server.call('labelling/comments', { itemId }, who)).data.comments.map(({ text }) => text)

  it('is pinned to a place, replied to, resolved and taken back', async () => {
    const { owner, reviewer, set } = await makeStage({ blind: false })
    const itemId = set.items[0]?.id ?? ''
    const at = { x: 3.5, y: 4, axis: 2 as const, slice: 0 }
    const { data: begun } = await say(owner, { itemId, text: ' Is this a cyst? ', at })
    expect(begun).toMatchObject({ author: '', text: 'Is this a cyst?', at, isResolved: false })
    const { data: reply } = await say(reviewer, { itemId, text: 'No.', replyTo: begun.id })
    expect((await say(owner, { itemId, text: 'Why?', replyTo: reply.id })).data).toMatchObject({
      error: 'comment_missing',
    })
    const resolved = await server.call(
      'labelling/resolveComment',
      { commentId: begun.id, isResolved: true },
      reviewer,
    )
    expect(resolved.data).toMatchObject({ author: 'Owner', isResolved: true })
    const remove = (who: Session, commentId: string) =>
      server.call('labelling/removeComment', { commentId }, who)
    expect((await remove(reviewer, begun.id)).data).toMatchObject({ error: 'not_allowed' })
    expect((await remove(owner, begun.id)).code).toBe(10200)
    expect(await textsFor(itemId, owner)).toEqual([])
  })

  it('tells nobody who reads blind what another reader marked', async () => {
    const stage = await makeStage()
    const { owner, reader, set } = stage
    const other = await server.signUp()
    await nameReader(server, { setId: set.id, reader: other, permission: 'read' })
    const itemId = set.items[0]?.id ?? ''
    const [own, others] = [await open(itemId, reader), await open(itemId, other)]
    await say(owner, { itemId, text: 'to all' })
    const { data: about } = await say(owner, { itemId, text: 'to the reader', readingId: own })
    await say(owner, { itemId, text: 'to the other', readingId: others })
    const { data: mine } = await say(reader, { itemId, text: 'of the reader' })
    await say(other, { itemId, text: 'of the other' })
    await say(reader, { itemId, text: 'answer', replyTo: about.id })
    expect((await say(other, { itemId, text: 'no', replyTo: mine.id })).data).toMatchObject({
      error: 'comment_missing',
    })
    expect((await say(reader, { itemId, text: 'no', readingId: others })).data).toMatchObject({
      error: 'reading_missing',
    })
    expect(await textsFor(itemId, reader)).toEqual(['to all', 'to the reader', 'of the reader', 'answer'])
    expect(await textsFor(itemId, other)).toEqual(['to all', 'to the other', 'of the other'])
    expect(await textsFor(itemId, owner)).toHaveLength(6)
    const resolve = (who: Session) =>
      server.call('labelling/resolveComment', { commentId: mine.id, isResolved: true }, who)
    expect((await resolve(other)).data).toMatchObject({ error: 'comment_missing' })
  })

  it('has a limit', async () => {
    const { owner, set } = await makeStage()
    const itemId = set.items[0]?.id ?? ''
    await server.ctx.db.insert(labelComments).values(
      Array.from({ length: limits.comments }, (_, index) => ({
        ...{ id: `filled-${itemId}-${index}`, itemId, text: 'so', createdAt: new Date() },
      })),
    )
    expect((await say(owner, { itemId, text: 'more' })).data).toMatchObject({ error: 'too_many_comments' })
    expect((await say(owner, { itemId, text: '  ' })).data).toMatchObject({ error: 'invalid' })
  })
})
