import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Deed } from '@neuroloom/contract/labelling/steps'
import type { Task } from '@neuroloom/contract/task'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { boxThing, classes, makeSet, mapOf, rectangle, segmentDeed, stepOf } from '../../../test/labels.ts'
import { makeWorker } from '../../../test/worker.ts'
import { look } from '../datasets/jobs.ts'
import { datasetItems } from '../datasets/tables.ts'

let server: TestServer
let worker: ReturnType<typeof makeWorker>
beforeAll(async () => {
  server = await makeServer()
  worker = makeWorker(server)
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

type Drawn = (size: [number, number, number], index: number) => Deed[]

/** Draws on some images, finishes them, and has the set recognised for a project of the task. */
async function learned(
  task: Task,
  draw: Drawn,
  { kinds = ['picture'], ...more }: { kinds?: string[]; classes?: object[] } = {},
) {
  const me = await server.signUp({ vipLevel: 4 })
  const set = await makeSet(server, me, more)
  for (const [index, { id: itemId }] of set.items.filter(({ kind }) => kinds.includes(kind)).entries()) {
    const { data: opened } = await server.call('labelling/open', { itemId }, me)
    const readingId = opened.reading?.id ?? ''
    const steps = draw(opened.item.size ?? [0, 0, 0], index).map((deed) => stepOf(deed))
    expect((await server.call('labelling/save', { readingId, after: 0, steps }, me)).code).toBe(10200)
    await server.call('labelling/setState', { readingId, state: 'done' }, me)
  }
  const { data: project } = await server.call('projects/create', { name: `Of ${set.id}`, task }, me)
  const asked = { id: set.id, projectId: project.id, from: 'mine' as const }
  const { data: begun, code, message } = await server.call('labelling/useAsData', asked, me)
  expect(code, message).toBe(10200)
  await look(worker, begun.id)
  return { me, set, asked, dataset: await detail(begun.id, me), items: await itemsOf(begun.id) }
}

const detail = async (id: string, me: Session) => (await server.call('datasets/detail', { id }, me)).data
const itemsOf = (id: string) =>
  server.ctx.db
    .select()
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, id))
    .orderBy(datasetItems.position)

const bytesOf = (sha256: string | null) => buffer(server.ctx.storage.read(sha256 ?? ''))

describe('a labelled set as a data set', () => {
  it('has masks of class numbers with the names of the classes, and leaves out what does not count', async () => {
    const ignored = { id: 'blur', name: 'Blurred, 2nd', colour: '#999999', use: 'ignore' as const }
    const { dataset, items, set } = await learned(
      'segmentation',
      ([width, height], index) => {
        const map = mapOf(width, height)
        return [
          segmentDeed(7, 'cyst'),
          segmentDeed(9, index === 0 ? 'stone' : 'cyst'),
          rectangle(map, { x: 2, y: 2, width: 10, height: 10, segment: 7 }),
          rectangle(map, { x: 8, y: 8, width: 10, height: 10, segment: 9 }),
          {
            do: 'thing',
            before: null,
            after: boxThing('b', {
              class: 'blur',
              shape: { kind: 'box', x: 0, y: 0, width: 4, height: 4, angle: 0 },
            }),
          },
        ]
      },
      { classes: [...classes, ignored] },
    )
    expect(dataset).toMatchObject({
      ...{ state: 'ready', task: 'segmentation', layout: 'images_masks', problemCount: 0 },
      classes: ['Background', 'Cyst', 'Stone'],
      labelled: { setId: set.id, from: 'mine' },
    })
    expect(dataset.parts.map(({ part, items: count }) => [part, count])).toEqual([
      ['image', 3],
      ['label', 3],
    ])
    const { data, info } = await sharp(await bytesOf(items[0]?.labelSha256 ?? null))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => data[(y * info.width + x) * info.channels]
    expect([info.width, info.height]).toEqual([32, 32])
    expect([at(20, 20), at(5, 5), at(9, 9), at(17, 17), at(2, 2), at(0, 0)]).toEqual([0, 1, 2, 2, 255, 255])
  })

  it('has boxes around boxes, turned ones and outlines, and around what was painted where none is drawn', async () => {
    const { dataset, items } = await learned('detection', ([width, height], index) => {
      const map = mapOf(width, height)
      if (index === 2)
        return [
          segmentDeed(1, 'cyst'),
          rectangle(map, { x: 2, y: 3, width: 5, height: 4, segment: 1 }),
          rectangle(map, { x: 20, y: 30, width: 6, height: 7, segment: 1 }),
        ]
      return [
        { do: 'thing', before: null, after: boxThing('a') },
        {
          do: 'thing',
          before: null,
          after: boxThing('b', {
            class: 'stone',
            shape: { kind: 'outline', rings: [[3, 4, 9, 4, 9, 12]] },
          }),
        },
        {
          do: 'thing',
          before: null,
          after: boxThing('c', { shape: { kind: 'box', x: 10, y: 14, width: 8, height: 2, angle: 90 } }),
        },
      ]
    })
    expect(dataset).toMatchObject({ state: 'ready', classes: ['Cyst', 'Stone'], problemCount: 0 })
    const rounded = (boxes: (typeof items)[number]['boxes']) =>
      boxes?.map((box) => [
        box.class,
        ...[box.x0, box.y0, box.x1, box.y1].map((side) => Math.round(side * 1e6) / 1e6),
      ])
    expect(rounded(items[0]?.boxes ?? null)).toEqual([
      [0, 1, 2, 11, 10],
      [1, 3, 4, 9, 12],
      [0, 13, 11, 15, 19],
    ])
    expect(rounded(items[2]?.boxes ?? null)).toEqual([
      [0, 2, 3, 7, 7],
      [0, 20, 30, 26, 37],
    ])
  })

  it.each([
    ['classification' as const, (index: number) => [index === 1 ? 'stone' : 'cyst']],
    ['multilabel' as const, (index: number) => (index === 1 ? ['cyst', 'stone'] : ['cyst'])],
  ])('has the labels of whole images: %s', async (task, of) => {
    const { dataset, items } = await learned(task, (_, index) => [
      { do: 'tags', before: [], after: of(index) },
    ])
    expect(dataset).toMatchObject({ state: 'ready', task, classes: ['Cyst', 'Stone'] })
    const told = items.map(({ class: one, labels }) => labels ?? [one])
    expect(told).toEqual(task === 'multilabel' ? [[0], [0, 1], [0]] : [[0], [1], [0]])
  })

  it('has masks of volumes on the grid of the volume', async () => {
    const { dataset, items } = await learned(
      'volume_segmentation',
      ([width, height, depth]) => {
        const map = mapOf(width, height, depth)
        return [
          segmentDeed(1, 'cyst'),
          segmentDeed(2, 'stone'),
          rectangle(map, { x: 1, y: 2, z: 3, width: 4, height: 5, segment: 1 }),
          rectangle(map, { x: 6, y: 2, z: 7, width: 2, height: 2, segment: 2 }),
        ]
      },
      { kinds: ['volume'] },
    )
    expect(dataset).toMatchObject({
      state: 'ready',
      classes: ['Background', 'Cyst', 'Stone'],
      problemCount: 0,
    })
    const mask = gunzipSync(await bytesOf(items[0]?.labelSha256 ?? null)).subarray(352)
    expect(mask.length).toBe(12 * 10 * 8)
    const at = (x: number, y: number, z: number) => mask[(z * 10 + y) * 12 + x]
    expect([at(1, 2, 3), at(4, 6, 3), at(5, 2, 3), at(6, 2, 7), at(0, 0, 0)]).toEqual([1, 1, 0, 2, 0])
  })

  it('is taken once, and takes the newest labels when it is looked at again', async () => {
    const { me, set, asked, dataset } = await learned('detection', () => [
      { do: 'thing', before: null, after: boxThing('a') },
      { do: 'thing', before: null, after: boxThing('b', { class: 'stone' }) },
    ])
    expect((await server.call('labelling/useAsData', asked, me)).code).toBe(20305)
    const { data: opened } = await server.call('labelling/open', { itemId: set.items[0]?.id ?? '' }, me)
    const steps = [stepOf({ do: 'thing', before: boxThing('a'), after: null })]
    await server.call('labelling/save', { readingId: opened.reading?.id ?? '', after: 2, steps }, me)
    expect((await server.call('datasets/recheck', { id: dataset.id }, me)).code).toBe(10200)
    await look(worker, dataset.id)
    expect((await itemsOf(dataset.id))[0]?.boxes).toHaveLength(1)
  })

  it('is refused where nobody has finished an image, and to readers for what others marked', async () => {
    const me = await server.signUp({ vipLevel: 4 })
    const set = await makeSet(server, me)
    const { data: project } = await server.call('projects/create', { name: 'Empty', task: 'detection' }, me)
    const asked = { id: set.id, projectId: project.id, from: 'newest' as const }
    expect((await server.call('labelling/useAsData', asked, me)).code).toBe(20710)
    const stranger = await server.signUp({ vipLevel: 4 })
    expect((await server.call('labelling/useAsData', asked, stranger)).code).toBe(20701)
  })
})
