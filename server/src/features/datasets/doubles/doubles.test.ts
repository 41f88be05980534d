import type { Dataset } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { type TestFile, upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { drawField } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { look } from '../jobs.ts'
import { manifestOf } from '../service.ts'
import { nearestOf, nearWithin } from './fingerprints.ts'
import { groupUp, mostTogether } from './groups.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const field = (seed: number): Buffer => encodePng(drawField(seed, 96).image)
const compressed = (bytes: Buffer): Promise<Buffer> => sharp(bytes).jpeg({ quality: 70 }).toBuffer()
const smaller = (bytes: Buffer): Promise<Buffer> => sharp(bytes).resize(64, 64).png().toBuffer()

/** Two classes of five different pictures each. */
const fields = (top: string, from = 0): TestFile[] =>
  [0, 1, 2, 3, 4].flatMap((index) => [
    { path: `${top}/a/${index}.png`, bytes: field(from + index) },
    { path: `${top}/b/${index}.png`, bytes: field(from + 10 + index) },
  ])

async function member() {
  const session = await server.signUp({ vipSuper: 1 })
  const made = await server.call('projects/create', { name: 'cells', task: 'classification' }, session)
  return { session, projectId: made.data.id }
}

type Place = { session: Session; projectId: string }

async function checked(
  { session, projectId }: Place,
  files: TestFile[],
  use: 'train' | 'test' = 'train',
): Promise<Dataset> {
  const folderId = (await upload(server, session, { files })) ?? ''
  const { data } = await server.call('datasets/recognise', { projectId, folderId, use }, session)
  await look(makeWorker(server), data.id)
  return (await server.call('datasets/detail', { id: data.id }, session)).data
}

const namesOf = (pairs: { first: { name: string }; second: { name: string }; kind: string }[]) =>
  pairs.map(({ first, second, kind }) => `${kind} ${first.name} ${second.name}`).sort()

describe('near-duplicates of one data set', () => {
  it('are found after compressing and scaling, shown in pairs, and stay in one group', async () => {
    const place = await member()
    const dataset = await checked(place, [
      ...fields('set'),
      { path: 'set/a/copy.jpg', bytes: await compressed(field(0)) },
      { path: 'set/b/copy.png', bytes: await smaller(field(11)) },
    ])
    expect(dataset.facts?.doubles).toEqual({
      ...{ items: 4, groups: 2, pairs: 2, loose: 0, crossing: 0, aside: 0 },
    })
    const { data } = await server.call('datasets/doubles', { id: dataset.id }, place.session)
    expect(data).toMatchObject({ total: 2, next: null })
    expect(namesOf(data.doubles)).toEqual(['together a/0.png a/copy.jpg', 'together b/1.png b/copy.png'])
    expect(data.doubles[0]?.first.image).toMatch(/^\//)

    const { items } = await manifestOf(server.ctx.db, dataset.id)
    const groups = new Map(items.map(({ name, group }) => [name, group]))
    expect(groups.get('a/copy.jpg')).toBe(groups.get('a/0.png'))
    expect(groups.get('b/copy.png')).toBe(groups.get('b/1.png'))
    expect(new Set(groups.values()).size).toBe(10)
  })

  it('are told to a stranger as little as the data set', async () => {
    const place = await member()
    const dataset = await checked(place, fields('set'))
    const stranger = await server.signUp()
    const { code } = await server.call('datasets/doubles', { id: dataset.id }, stranger)
    expect(code).toBe((await server.call('datasets/detail', { id: dataset.id }, stranger)).code)
  })
})

describe('near-duplicates across given parts', () => {
  const parted = async (): Promise<TestFile[]> => [
    ...fields('set/train'),
    ...fields('set/test', 100),
    { path: 'set/test/a/same.jpg', bytes: await compressed(field(3)) },
  ]

  it('are named, left aside on demand and taken back', async () => {
    const place = await member()
    const dataset = await checked(place, await parted())
    expect(dataset.facts).toMatchObject({
      given: { train: 10, validation: 0, test: 11 },
      doubles: { crossing: 1, aside: 0 },
    })
    const { data } = await server.call('datasets/doubles', { id: dataset.id }, place.session)
    expect(namesOf(data.doubles)).toEqual(['crossing test/a/same.jpg train/a/3.png'])

    const asides = await server.call('datasets/leaveAside', { id: dataset.id, aside: true }, place.session)
    expect(asides.data.facts).toMatchObject({ given: { test: 10 }, doubles: { crossing: 1, aside: 1 } })
    const partOf = async (): Promise<string | null | undefined> =>
      (await manifestOf(server.ctx.db, dataset.id)).items.find(({ name }) => name === 'test/a/same.jpg')?.part
    expect(await partOf()).toBeNull()

    const again = await server.call('datasets/recheck', { id: dataset.id }, place.session)
    await look(makeWorker(server), again.data.id)
    expect(await partOf()).toBeNull()
    const back = await server.call('datasets/leaveAside', { id: dataset.id, aside: false }, place.session)
    expect(back.data.facts).toMatchObject({ given: { test: 11 }, doubles: { crossing: 1, aside: 0 } })
    expect(await partOf()).toBe('test')
  })
})

describe('pictures of a test set that are also in the training set', () => {
  it('are counted and named on both sides', async () => {
    const place = await member()
    const training = await checked(place, fields('learn'))
    const test = await checked(
      place,
      [...fields('exam', 200), { path: 'exam/a/again.jpg', bytes: await compressed(field(2)) }],
      'test',
    )
    const ask = { id: test.id, projectId: place.projectId }
    const { data } = await server.call('datasets/shared', ask, place.session)
    expect(data.sets).toEqual([{ id: training.id, name: 'learn', use: 'train', items: 1 }])
    const reverse = await server.call('datasets/shared', { ...ask, id: training.id }, place.session)
    expect(reverse.data.sets).toEqual([{ id: test.id, name: 'exam', use: 'test', items: 1 }])
    const pairs = await server.call('datasets/doubles', { id: test.id, other: training.id }, place.session)
    expect(namesOf(pairs.data.doubles)).toEqual(['other a/again.jpg a/2.png'])
  })
})

describe('the search', () => {
  const random = (seed: number): string =>
    Array.from({ length: 16 }, (_, word) =>
      (Math.imul(seed * 16 + word + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0'),
    ).join('')
  /** So many bits of the first hash turned, one in each of its parts in turn. */
  const turned = (print: string, bits: number): string => {
    const digits = [...print]
    for (let bit = 0; bit < bits; bit += 1) {
      const at = (bit % 16) * 4 + Math.floor(bit / 16)
      digits[at] = (Number.parseInt(digits[at] ?? '0', 16) ^ 1).toString(16)
    }
    return digits.join('')
  }

  it('finds what differs in few bits, whichever hash is alike, and leaves out what has no fingerprint', async () => {
    const [one, other] = [random(1), random(2)]
    const trimmed = random(3).slice(0, 64) + one.slice(0, 64)
    const found = await nearWithin([one, null, turned(one, 20), other, trimmed])
    expect(found.map((near) => Object.values(near))).toEqual([
      [0, 4, 0],
      [0, 2, 20],
      [2, 4, 20],
    ])
    expect(await nearestOf([other, one], [turned(one, 3), null, turned(one, 1)])).toEqual([
      { one: 1, other: 2, distance: 1 },
    ])
  })

  it('looks through ten thousand in less than comparing each with each would take', async () => {
    const prints = Array.from({ length: 10_000 }, (_, index) => random(index * 7 + 5))
    prints[9999] = turned(prints[17] ?? '', 9)
    const found = await nearWithin(prints)
    expect(found).toContainEqual({ one: 17, other: 9999, distance: 9 })
  })
})

describe('groups', () => {
  it('grow from the nearest pairs and stop before they hold a large part of the data', () => {
    const keys = Array.from({ length: 40 }, (_, index) => `item ${index}`)
    // A video: each picture like the next one, with one weak link.
    const chain = keys.slice(1).map((_, index) => ({
      ...{ one: index, other: index + 1, distance: index === 4 ? 30 : 5 },
    }))
    const { keys: groups, loose } = groupUp(keys, chain)
    const names = [...new Set(groups)]
    const sizes = names.map((name) => groups.filter((key) => key === name).length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.doubles.few)
    expect(groups[4]).not.toBe(groups[5])
    expect(loose.length).toBe(sizes.length - 1)
  })

  it('join the patients of two pictures that are alike', () => {
    const keys = ['p1', 'p1', 'p2', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'p9']
    expect(groupUp(keys, [{ one: 1, other: 2, distance: 3 }]).keys.slice(0, 5)).toEqual([
      ...['p1', 'p1', 'p1', 'p1'],
      'p3',
    ])
  })

  it('leave at least three to split', () => {
    expect([3, 9, 30, 80, 1000].map(mostTogether)).toEqual([1, 3, 8, 8, 100])
  })
})
