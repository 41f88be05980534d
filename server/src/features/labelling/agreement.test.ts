import { fromBase64 } from '@neuroloom/contract/labelling/base64'
import { mapFrom, wholePatch } from '@neuroloom/contract/labelling/patch'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { boxThing, makeSet, mapOf, nameReader, rectangle, segmentDeed, stepOf } from '../../../test/labels.ts'
import { makeWorker } from '../../../test/worker.ts'
import { agree } from './agree.ts'
import { fold } from './wholes.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

type Drawn = { x: number; z?: number; boxAt: number; tag: string }

/** A square of a class, a box and a label of the whole image, finished. */
async function read(who: Session, itemId: string, { x, z = 0, boxAt, tag }: Drawn): Promise<string> {
  const { data } = await server.call('labelling/open', { itemId }, who)
  const readingId = data.reading?.id ?? ''
  const [width = 0, height = 0, depth = 0] = data.item.size ?? []
  const box = boxThing('box', { shape: { kind: 'box', x: boxAt, y: 0, width: 4, height: 4, angle: 0 } })
  const steps = [
    stepOf(segmentDeed(1)),
    stepOf(rectangle(mapOf(width, height, depth), { x, y: 5, z, width: 4, height: 4, segment: 1 })),
    stepOf({ do: 'tags', before: [], after: [tag] }),
    ...(depth === 1 ? [stepOf({ do: 'thing' as const, before: null, after: box })] : []),
  ]
  expect((await server.call('labelling/save', { readingId, after: 0, steps }, who)).code).toBe(10200)
  await server.call('labelling/setState', { readingId, state: 'done' }, who)
  return readingId
}

async function work(setId: string, who: Session): Promise<void> {
  const worker = makeWorker(server)
  await agree(worker, { setId, userId: who.userId })
  worker.engine.close()
}

it('of each two readers is told by class, by boxes and by labels, and anew when one of them went on', async () => {
  const [owner, other, reader] = [
    await server.signUp(),
    await server.signUp({ nickName: 'Second' }),
    await server.signUp(),
  ]
  const set = await makeSet(server, owner)
  await nameReader(server, { setId: set.id, reader: other, permission: 'review' })
  await nameReader(server, { setId: set.id, reader, permission: 'read' })
  const [first = '', second = '', , scan = ''] = set.items.map(({ id }) => id)
  await read(owner, first, { x: 10, boxAt: 20, tag: 'cyst' })
  await read(other, first, { x: 10, boxAt: 21, tag: 'cyst' })
  await read(owner, second, { x: 10, boxAt: 20, tag: 'stone' })
  const moved = await read(other, second, { x: 12, boxAt: 40, tag: 'stone' })
  await read(owner, scan, { x: 2, z: 3, boxAt: 0, tag: 'cyst' })
  await read(other, scan, { x: 2, z: 4, boxAt: 0, tag: 'stone' })
  const ask = async (who: Session) => server.call('labelling/agreement', { id: set.id }, who)
  expect((await ask(reader)).data).toMatchObject({ error: 'not_allowed' })
  expect((await ask(owner)).data).toMatchObject({ state: 'working', pairs: [] })
  await work(set.id, owner)
  const { data } = await ask(owner)
  expect(data.state).toBe('ready')
  const [pair] = data.pairs
  expect([data.pairs.length, [pair?.one, pair?.other].sort(), pair?.images]).toEqual([1, ['', 'Second'], 3])
  // Of the picture as drawn, with the box over it that counts as well; of the volume nothing in common.
  expect(pair?.boxes).toEqual({ one: 2, other: 2, matched: 1 })
  // Two of three agreed, and 4 of 9 by chance.
  expect(pair?.kappa?.value).toBeCloseTo((2 / 3 - 4 / 9) / (1 - 4 / 9))
  expect([pair?.kappa?.images, (pair?.kappa?.range?.low ?? 2) < (pair?.kappa?.value ?? 0)]).toEqual([3, true])
  const [cyst] = pair?.classes ?? []
  expect([cyst?.class, cyst?.images, pair?.unit]).toEqual(['cyst', 3, 'mixed'])
  // Squares of 4 × 4 and boxes beside them: 16 + 12 of 32; 8 of 32; 0 of 16 each.
  expect(cyst?.dice).toBeCloseTo((28 / 32 + 8 / 32 + 0) / 3)
  expect(cyst?.range?.low).toBe(0)
  expect(cyst?.range?.high).toBeCloseTo(1)
  expect(data.images.map(({ itemId, pairs: [one] }) => [itemId, one?.isSameTags])).toEqual([
    [scan, false],
    [second, true],
    [first, true],
  ])
  expect(data.images[1]?.pairs[0]?.classes[0]?.dice).toBeCloseTo(8 / 32)
  // The second reader moves the square to where the first one drew it.
  const map = mapOf(64, 48)
  rectangle(map, { x: 12, y: 5, width: 4, height: 4, segment: 1 })
  const steps = [
    stepOf(rectangle(map, { x: 10, y: 5, width: 2, height: 4, segment: 1 })),
    stepOf(rectangle(map, { x: 14, y: 5, width: 2, height: 4, segment: 0 })),
  ]
  await server.call('labelling/save', { readingId: moved, after: 0, steps }, other)
  expect((await ask(owner)).data).toMatchObject({ state: 'working', pairs: [{ images: 2 }] })
  await work(set.id, owner)
  const { data: later } = await ask(other)
  expect(later.pairs[0]?.classes[0]?.dice).toBeCloseTo((28 / 32 + 16 / 32 + 0) / 3)
})

it('is made by whoever judges: a copy of one, or what most of three have, and it goes before the others as data', async () => {
  const owner = await server.signUp()
  const [second, third, reader] = [await server.signUp(), await server.signUp(), await server.signUp()]
  const set = await makeSet(server, owner)
  for (const one of [second, third, reader])
    await nameReader(server, { setId: set.id, reader: one, permission: 'read' })
  const itemId = set.items[0]?.id ?? ''
  const readingIds = [
    await read(owner, itemId, { x: 10, boxAt: 20, tag: 'cyst' }),
    await read(second, itemId, { x: 12, boxAt: 21, tag: 'cyst' }),
    await read(third, itemId, { x: 20, boxAt: 4, tag: 'stone' }),
  ]
  const adjudicate = (who: Session, ids: string[]) =>
    server.call('labelling/adjudicate', { itemId, readingIds: ids }, who)
  expect((await adjudicate(reader, readingIds)).data).toMatchObject({ error: 'not_allowed' })
  expect((await adjudicate(owner, ['nobody'])).data).toMatchObject({ error: 'reading_missing' })
  const { data: agreed } = await adjudicate(owner, readingIds)
  expect(agreed).toMatchObject({ isAgreed: true, isWritable: true, state: 'open', seq: 0 })
  const open = async (readingId: string, who: Session) =>
    (await server.call('labelling/open', { itemId, readingId }, who)).data
  const { whole } = await open(agreed.id, owner)
  expect([whole.tags, whole.things.map(({ shape }) => shape), whole.segments]).toEqual([
    ['cyst'],
    [{ kind: 'box', x: 20, y: 0, width: 4, height: 4, angle: 0 }],
    [{ number: 1, class: 'cyst', by: 'assist' }],
  ])
  // Columns 12 and 13 are those that two of three drew.
  const map = mapOf(32, 32)
  rectangle(map, { x: 12, y: 5, width: 2, height: 4, segment: 1 })
  expect(wholePatch(mapFrom([32, 32, 1], fromBase64(whole.pixels)))).toEqual(wholePatch(map))
  // There is one; it is gone on with, folded, and nothing of it is seen by readers.
  expect((await adjudicate(owner, readingIds.slice(0, 1))).data.id).toBe(agreed.id)
  const save = (who: Session) =>
    server.call(
      'labelling/save',
      { readingId: agreed.id, after: 0, steps: [stepOf({ do: 'tags', before: ['cyst'], after: ['stone'] })] },
      who,
    )
  expect((await save(reader)).data).toMatchObject({ error: 'reading_missing' })
  expect((await save(owner)).data.seq).toBe(1)
  await fold(server.ctx, agreed.id)
  const after = await open(agreed.id, owner)
  expect([after.wholeSeq, after.whole.tags, after.whole.things.length]).toEqual([1, ['stone'], 1])
})
