import type { Body, Path } from '@neuroloom/contract/calls'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { boxThing, makeSet, nameReader, stepOf } from '../../../test/labels.ts'
import { labelItems, labelReaders, labelSets } from './tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** Two who read the same image, the first one without knowing of the second. */
async function makeStage(more: object = {}) {
  const [owner, reader, other, reviewer] = await Promise.all([
    server.signUp({ nickName: 'Owner' }),
    server.signUp({ nickName: 'Reader' }),
    server.signUp({ nickName: 'Other' }),
    server.signUp({ nickName: 'Reviewer' }),
  ])
  const set = await makeSet(server, owner, more)
  // A busy machine shows no image in time; how large they are, is enough here.
  const size = { width: 32, height: 32, depth: 1 }
  await server.ctx.db.update(labelItems).set(size).where(eq(labelItems.setId, set.id))
  for (const one of [reader, other])
    await nameReader(server, { setId: set.id, reader: one, permission: 'read' })
  await nameReader(server, { setId: set.id, reader: reviewer, permission: 'review' })
  const itemId = set.items[0]?.id ?? ''
  const mine = await open(itemId, reader)
  return { owner, reader, other, reviewer, set, itemId, mine }
}

const open = async (itemId: string, who: Session): Promise<string> =>
  (await server.call('labelling/open', { itemId }, who)).data.reading?.id ?? ''
const state = (readingId: string, to: Body<'labelling/setState'>['state'], who: Session, reason?: string) =>
  server.call('labelling/setState', { readingId, state: to, ...(reason ? { reason } : {}) }, who)

/** Marked, spoken about and handed in. */
async function readAs(who: Session, itemId: string): Promise<string> {
  const readingId = await open(itemId, who)
  const steps = [
    stepOf({ do: 'tags', before: [], after: ['cyst'] }),
    stepOf({ do: 'thing', before: null, after: boxThing('box') }),
  ]
  await server.call('labelling/save', { readingId, after: 0, steps }, who)
  await server.call('labelling/comment', { itemId, readingId, text: 'A cyst, surely' }, who)
  await state(readingId, 'done', who)
  return readingId
}

/** Whatever a reader may ask; pictures are ready sooner or later, and their addresses made anew each time. */
async function everything({ reader, set, itemId, mine }: Awaited<ReturnType<typeof makeStage>>) {
  const ask = async <P extends Path>(path: P, body: Body<P>) => (await server.call(path, body, reader)).data
  const shows = ['all', 'unfinished', 'new', 'open', 'done', 'returned', 'accepted'] as const
  const told = [
    await ask('labelling/list', {}),
    await ask('labelling/detail', { id: set.id }),
    ...(await Promise.all(shows.map((show) => ask('labelling/items', { id: set.id, show })))),
    await ask('labelling/open', { itemId }),
    await ask('labelling/readings', { itemId }),
    await ask('labelling/comments', { itemId }),
    await ask('labelling/steps', { readingId: mine }),
    await ask('labelling/minutes', { readingId: mine }),
    await ask('labelling/exchanges', { id: set.id }),
    await ask('labelling/rounds', { id: set.id }),
    await ask('labelling/proposal', { itemId }),
  ]
  return JSON.stringify(told, (key, value) => (key === 'thumbnail' || key === 'image' ? null : value))
}

it('whoever reads blind is told the same by every call, whatever another reader marks, says or hands in', async () => {
  const stage = await makeStage()
  const { owner, reader, other, reviewer, set, itemId } = stage
  const before = await everything(stage)
  const others = await readAs(other, itemId)
  await server.call('labelling/comment', { itemId, readingId: others, text: 'Look again' }, reviewer)
  expect(await everything(stage)).toBe(before)
  await state(others, 'returned', reviewer, 'The border is too wide')
  await state(others, 'done', other)
  await state(others, 'accepted', reviewer)
  await server.call('labelling/adjudicate', { itemId, readingIds: [others] }, owner)
  expect(await everything(stage)).toBe(before)

  const refused = async <P extends Path>(path: P, body: Body<P>) =>
    (await server.call(path, body, reader)).data as { error?: string } // What a refusal tells.
  const byReading = { readingId: others }
  expect(await refused('labelling/open', { itemId, ...byReading })).toMatchObject({
    error: 'label_item_missing',
  })
  for (const path of ['labelling/steps', 'labelling/minutes'] as const)
    expect(await refused(path, byReading)).toMatchObject({ error: 'reading_missing' })
  expect(await refused('labelling/asOf', { ...byReading, seq: 1 })).toMatchObject({
    error: 'reading_missing',
  })
  expect(await refused('labelling/save', { ...byReading, after: 0, steps: [] })).toMatchObject({
    error: 'reading_missing',
  })
  expect(await refused('labelling/setState', { ...byReading, state: 'open' })).toMatchObject({
    error: 'reading_missing',
  })
  const { id } = set
  for (const refusal of [
    await refused('labelling/items', { id, of: 'all' }),
    await refused('labelling/agreement', { id }),
    await refused('labelling/readers', { id }),
    await refused('labelling/adjudicate', { itemId, readingIds: [others] }),
    await refused('labelling/exportPlan', { id, whose: 'accepted' }),
    await refused('labelling/exportPlan', { id, whose: 'newest' }),
    await refused('labelling/useAsData', { id, projectId: 'none', from: 'newest' }),
  ])
    expect(refusal).toMatchObject({ error: 'not_allowed' })
})

it('live news of comments go to those alone who may see them', async () => {
  const { reader, other, reviewer, itemId, mine } = await makeStage()
  const others = await open(itemId, other)
  const heard: string[] = []
  const { passing } = server.ctx.live
  server.ctx.live.passing = async (topic, type, ...rest) => {
    if (type === 'comments') heard.push(topic.id)
    return passing(topic, type, ...rest)
  }
  const say = async (who: Session, body: Partial<Body<'labelling/comment'>>) => {
    heard.length = 0
    await server.call('labelling/comment', { itemId, text: 'so', ...body }, who)
    return heard.toSorted()
  }
  try {
    expect(await say(other, {})).toEqual([others])
    expect(await say(reviewer, { readingId: mine })).toEqual([mine])
    expect(await say(reviewer, {})).toEqual([mine, others].toSorted())
    expect(await say(reader, { readingId: mine })).toEqual([mine])
  } finally {
    server.ctx.live.passing = passing
  }
})

it('a reading is returned with its reason, which its reader sees beside the image', async () => {
  const { reader, reviewer, itemId, mine } = await makeStage()
  await state(mine, 'done', reader)
  await state(mine, 'returned', reviewer, '  The border is too wide. ')
  const { data } = await server.call('labelling/comments', { itemId }, reader)
  expect(data.comments).toMatchObject([
    { author: 'Reviewer', text: 'The border is too wide.', readingId: mine, at: null },
  ])
})

it('images are listed by where own readings stand, and for those who judge by those of all', async () => {
  const { owner, reader, other, reviewer, set, mine } = await makeStage()
  const [first = '', second = '', third = '', fourth = ''] = set.items.map(({ id }) => id)
  const others = await readAs(other, second)
  await readAs(other, third)
  await state(others, 'accepted', owner)
  const listed = async (who: Session, of: 'mine' | 'all', show: Body<'labelling/items'>['show']) =>
    (await server.call('labelling/items', { id: set.id, of, show }, who)).data.items.map(({ id }) => id)
  expect(await listed(reader, 'mine', 'open')).toEqual([first])
  expect(await listed(reader, 'mine', 'new')).toEqual([second, third, fourth])
  expect(await listed(reviewer, 'all', 'accepted')).toEqual([second])
  expect(await listed(reviewer, 'all', 'done')).toEqual([third])
  expect(await listed(reviewer, 'all', 'unfinished')).toEqual([first, fourth])
  expect(await listed(reviewer, 'mine', 'unfinished')).toHaveLength(4)
  await state(mine, 'done', reader)
  const { data } = await server.call('labelling/items', { id: set.id }, reviewer)
  expect(data.items.map(({ readings }) => readings.done + readings.accepted)).toEqual([1, 1, 1, 0])
  const { finished } = (await server.call('labelling/detail', { id: set.id }, reviewer)).data
  expect(finished).toEqual({ mine: 0, any: 3, accepted: 1 })
})

it('a reader who was removed, or who reviews no longer, sees nothing more of others', async () => {
  const { owner, reader, reviewer, set, itemId, mine } = await makeStage()
  const { data: readers } = await server.call('labelling/readers', { id: set.id }, owner)
  const idOf = (name: string) => readers.readers.find(({ member }) => member.nickName === name)?.id ?? ''
  await server.call('labelling/changeReader', { readerId: idOf('Reviewer'), permission: 'read' }, owner)
  expect((await server.call('labelling/steps', { readingId: mine }, reviewer)).data).toMatchObject({
    error: 'reading_missing',
  })
  await server.call('labelling/removeReader', { readerId: idOf('Reader') }, owner)
  for (const path of ['labelling/comments', 'labelling/readings', 'labelling/open'] as const)
    expect((await server.call(path, { itemId }, reader)).data).toMatchObject({ error: 'label_item_missing' })
  const own = and(eq(labelReaders.setId, set.id), eq(labelReaders.userId, reader.userId))
  expect(await server.ctx.db.$count(labelReaders, own)).toBe(0)
})

it('where nobody reads blind, readers see each other', async () => {
  const { reader, other, set, itemId } = await makeStage({ blind: false })
  const others = await readAs(other, itemId)
  const { data } = await server.call('labelling/open', { itemId, readingId: others }, reader)
  expect(data.reading).toMatchObject({ id: others, reader: 'Other', isWritable: false })
  expect(data.steps).toHaveLength(2)
  expect(await server.ctx.db.$count(labelSets, eq(labelSets.id, set.id))).toBe(1)
})
