import { fromBase64 } from '@neuroloom/contract/labelling/base64'
import { mapFrom } from '@neuroloom/contract/labelling/patch'
import { segmentAt } from '@neuroloom/contract/labelling/pixels'
import { labelling as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import {
  boxThing,
  classes,
  gatherNow,
  makeSet,
  mapOf,
  nameReader,
  picture,
  rectangle,
  segmentDeed,
  settings,
  stepOf,
} from '../../../test/labels.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { checkBlobs } from '../files/service.ts'
import { labelItems, labelReaders, labelReadings, labelSources } from './tables.ts'
import { fold } from './wholes.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function makeReader(setId: string, permission: 'read' | 'review'): Promise<Session> {
  const reader = await server.signUp()
  await nameReader(server, { setId, reader, permission })
  return reader
}

const open = async (itemId: string, who: Session, readingId: string | null = null) =>
  (await server.call('labelling/open', { itemId, readingId }, who)).data

/** The own reading of the first image. */
async function begin(who: Session) {
  const set = await makeSet(server, who)
  const [item] = set.items
  const opened = await open(item?.id ?? '', who)
  return { set, itemId: item?.id ?? '', readingId: opened.reading?.id ?? '' }
}

describe('a set', () => {
  it('has the images of its folder and those below in the order in which people count, and nothing else', async () => {
    const me = await server.signUp()
    const { items } = await makeSet(server, me)
    expect(items.map(({ name, kind }) => [name, kind])).toEqual([
      ['a.png', 'picture'],
      ['b2.png', 'picture'],
      ['b10.png', 'picture'],
      ['deep/scan.nii.gz', 'volume'],
    ])
  })

  it('shows small pictures of images once they are made, and none before', async () => {
    const me = await server.signUp()
    const { id, items } = await makeSet(server, me)
    expect(items.map(({ thumbnail }) => thumbnail)).toEqual([null, null, null, null])
    const sources = await server.ctx.db
      .select({ sha256: labelSources.sha256 })
      .from(labelSources)
      .where(eq(labelSources.itemId, items[0]?.id ?? ''))
    const worker = makeWorker(server)
    await checkBlobs(
      worker,
      sources.map(({ sha256 }) => ({ sha256, role: 'image' })),
      async () => undefined,
    )
    worker.engine.close()
    const { data } = await server.call('labelling/items', { id }, me)
    const [first, ...others] = data.items.map(({ thumbnail }) => thumbnail)
    expect((await fetch(server.url + first)).status).toBe(200)
    expect(others).toEqual([null, null, null])
  })

  it('takes in new images and keeps the labels of those that are gone', async () => {
    const me = await server.signUp()
    const { set, itemId, readingId } = await begin(me)
    const steps = [stepOf({ do: 'tags', before: [], after: ['cyst'] })]
    await server.call('labelling/save', { readingId, after: 0, steps }, me)
    const { data: below } = await server.call('files/list', { folderId: set.folderId }, me)
    const gone = below.entries.find(({ name }) => name === 'a.png')?.id ?? ''
    await server.call('files/remove', { ids: [gone] }, me)
    await upload(server, me, {
      parentId: set.folderId,
      files: [{ path: 'new.png', bytes: await picture(9, 9) }],
    })
    expect((await server.call('labelling/gather', { id: set.id }, me)).data.state).toBe('gathering')
    await gatherNow(server, set.id)
    const { data } = await server.call('labelling/items', { id: set.id }, me)
    expect(data.items.map(({ name }) => name)).toEqual(['b2.png', 'b10.png', 'deep/scan.nii.gz', 'new.png'])
    expect((await open(itemId, me)).steps.map(({ deed }) => deed)).toEqual(steps.map(({ deed }) => deed))
  })

  it('knows an image by its bytes: renamed it keeps its labels, and others under its name are another one', async () => {
    const me = await server.signUp()
    const { set, itemId, readingId } = await begin(me)
    const steps = [stepOf({ do: 'tags', before: [], after: ['cyst'] })]
    await server.call('labelling/save', { readingId, after: 0, steps }, me)
    const idOf = async (wanted: string) => {
      const { data } = await server.call('files/list', { folderId: set.folderId }, me)
      return data.entries.find(({ name }) => name === wanted)?.id ?? ''
    }
    // The first two change their names with each other, and other bytes come under the name of the third.
    const [first, second] = [await idOf('a.png'), await idOf('b2.png')]
    await server.call('files/rename', { id: first, name: 'c.png' }, me)
    await server.call('files/rename', { id: second, name: 'a.png' }, me)
    await server.call('files/rename', { id: first, name: 'b2.png' }, me)
    const bytes = await picture(17, 19)
    await upload(server, me, { parentId: set.folderId, files: [{ path: 'b10.png', bytes }] })
    await server.call('labelling/gather', { id: set.id }, me)
    await gatherNow(server, set.id)
    const { data } = await server.call('labelling/items', { id: set.id }, me)
    expect(data.items.map(({ name }) => name)).toEqual(['a.png', 'b2.png', 'b10.png', 'deep/scan.nii.gz'])
    expect(data.items.map(({ id }) => id)).toEqual([
      set.items[1]?.id,
      itemId,
      expect.not.stringMatching(set.items[2]?.id ?? '-'),
      set.items[3]?.id,
    ])
    expect((await open(itemId, me)).steps).toHaveLength(1)
    const old = await open(set.items[2]?.id ?? '', me)
    expect([old.item.name, old.item.size]).toEqual(['b10 (2).png', [300, 40, 1]])
  })

  it('keeps its bytes, so its files wait in the recycle station and count until it is removed', async () => {
    const me = await server.signUp()
    const set = await makeSet(server, me)
    await server.call('files/remove', { ids: [set.folderId] }, me)
    const purge = async () => (await server.call('files/purge', { ids: [set.folderId] }, me)).data
    const refused = await purge()
    expect([refused.purged, refused.keptCount]).toEqual([0, 1])
    expect(JSON.stringify(refused.kept)).toContain('Kidneys')
    await server.call('labelling/remove', { id: set.id }, me)
    expect(await purge()).toMatchObject({ keptCount: 0 })
  })

  it('says so where its folder holds no image', async () => {
    const me = await server.signUp()
    await upload(server, me, { files: [{ path: 'Words/one.txt', bytes: Buffer.from('words') }] })
    const { data } = await server.call('files/list', { folderId: null }, me)
    const folderId = data.entries[0]?.id ?? ''
    const { data: set } = await server.call('labelling/create', { ...settings, folderId }, me)
    await gatherNow(server, set.id)
    const { data: after } = await server.call('labelling/detail', { id: set.id }, me)
    expect(after).toMatchObject({ state: 'failed', failure: 'no_images' })
  })

  it.each([
    ['one label', classes.slice(1, 2), 'labels_too_few', 20403],
    ['two of one name', [...classes, { id: 'x', name: 'CYST', colour: '#000000' }], 'tag_duplicate', 20704],
    [
      'one key for two',
      [...classes, { id: 'x', name: 'Scar', colour: '#000000', key: 1 }],
      'classes_refused',
      20705,
    ],
  ])('is refused with %s', async (_, wrong, __, code) => {
    const me = await server.signUp()
    const { folderId } = await makeSet(server, me)
    const reply = await server.call('labelling/create', { ...settings, folderId, classes: wrong }, me)
    expect(reply.code).toBe(code)
  })

  it.each([{ name: ' ' }, { description: '' }, { marks: [] }])('is refused with %o', async (wrong) => {
    const me = await server.signUp()
    const { folderId } = await makeSet(server, me)
    const reply = await server.call('labelling/create', { ...settings, folderId, ...wrong }, me)
    expect(reply.code).toBe(10422)
  })
})

describe('whoever has no right to a set', () => {
  it('finds neither it nor its images nor a reading, at any call', async () => {
    const me = await server.signUp()
    const stranger = await server.signUp()
    const { set, itemId, readingId } = await begin(me)
    const calls = [
      server.call('labelling/detail', { id: set.id }, stranger),
      server.call('labelling/change', { id: set.id, ...settings }, stranger),
      server.call('labelling/remove', { id: set.id }, stranger),
      server.call('labelling/gather', { id: set.id }, stranger),
      server.call('labelling/items', { id: set.id }, stranger),
    ]
    for (const { code } of await Promise.all(calls)) expect(code).toBe(20701)
    expect((await server.call('labelling/open', { itemId }, stranger)).code).toBe(20702)
    expect((await server.call('labelling/readings', { itemId }, stranger)).code).toBe(20702)
    const closed = [
      server.call('labelling/save', { readingId, after: 0, steps: [] }, stranger),
      server.call('labelling/steps', { readingId }, stranger),
      server.call('labelling/minutes', { readingId }, stranger),
      server.call('labelling/asOf', { readingId, seq: 0 }, stranger),
      server.call('labelling/setState', { readingId, state: 'accepted' }, stranger),
    ]
    for (const { code } of await Promise.all(closed)) expect(code).toBe(20703)
    expect((await server.call('labelling/list', {}, stranger)).data.sets).toEqual([])
    expect(
      (await server.call('labelling/create', { ...settings, folderId: set.folderId }, stranger)).code,
    ).toBe(20201)
  })

  it('gets no byte of an image, and a reader none once the right is gone', async () => {
    const me = await server.signUp()
    const { set, itemId } = await begin(me)
    const reader = await makeReader(set.id, 'read')
    const { image } = await open(itemId, reader)
    const address = server.url + image.url
    expect((await fetch(address)).status).toBe(200)
    await server.ctx.db.delete(labelReaders)
    expect((await fetch(address)).status).not.toBe(200)
  })

  it('may read, as a reader, and change nothing of the set', async () => {
    const me = await server.signUp()
    const { set } = await begin(me)
    const reader = await makeReader(set.id, 'read')
    expect((await server.call('labelling/detail', { id: set.id }, reader)).data.right).toBe('read')
    for (const path of ['labelling/remove', 'labelling/gather'] as const)
      expect((await server.call(path, { id: set.id }, reader)).code).toBe(10403)
    expect((await server.call('labelling/change', { id: set.id, ...settings }, reader)).code).toBe(10403)
  })
})

describe('a journal', () => {
  it('keeps each step once, in order, and gives it back to whoever opens the image', async () => {
    const me = await server.signUp()
    const { itemId, readingId } = await begin(me)
    const map = mapOf(32, 32)
    const steps = [
      stepOf(segmentDeed(1)),
      stepOf(rectangle(map, { x: 3, y: 4, width: 5, height: 6, segment: 1 })),
      stepOf({ do: 'thing', before: null, after: boxThing('one') }),
    ]
    expect((await server.call('labelling/save', { readingId, after: 0, steps }, me)).data.seq).toBe(3)
    // Sent again, as after a cut line, with one that is new.
    const more = [...steps, stepOf({ do: 'tags', before: [], after: ['stone'] })]
    const { data } = await server.call('labelling/save', { readingId, after: 0, steps: more }, me)
    expect(data).toMatchObject({ seq: 4, missed: [] })
    const opened = await open(itemId, me)
    expect(opened.steps.map(({ seq, deed }) => ({ seq, deed }))).toEqual(
      more.map(({ deed }, index) => ({ seq: index + 1, deed })),
    )
    expect(opened).toMatchObject({ wholeSeq: 0, position: 1, before: null })
  })

  it('tells one page what the other one did', async () => {
    const me = await server.signUp()
    const { readingId } = await begin(me)
    const [one, other] = [stepOf(segmentDeed(1)), stepOf(segmentDeed(2))]
    await server.call('labelling/save', { readingId, after: 0, steps: [one] }, me)
    const { data } = await server.call('labelling/save', { readingId, after: 0, steps: [other] }, me)
    expect(data.seq).toBe(2)
    expect(data.missed.map(({ id }) => id)).toEqual([one.id])
  })

  it('has all steps of two pages that write at once', async () => {
    const me = await server.signUp()
    const { itemId, readingId } = await begin(me)
    const batches = Array.from({ length: 12 }, () => [stepOf(segmentDeed(1)), stepOf(segmentDeed(2))])
    await Promise.all(
      batches.map((steps) => server.call('labelling/save', { readingId, after: 0, steps }, me)),
    )
    const { steps } = await open(itemId, me)
    expect(steps.map(({ seq }) => seq)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1))
    expect(new Set(steps.map(({ id }) => id))).toEqual(new Set(batches.flat().map(({ id }) => id)))
  })

  it('leaves the marks of one reader alone whatever the other one does', async () => {
    const me = await server.signUp()
    const { set, itemId, readingId } = await begin(me)
    const reader = await makeReader(set.id, 'read')
    const other = await open(itemId, reader)
    expect(other.reading?.id).not.toBe(readingId)
    const mine = [stepOf(rectangle(mapOf(32, 32), { x: 0, y: 0, width: 20, height: 20, segment: 1 }))]
    const theirs = [stepOf(rectangle(mapOf(32, 32), { x: 5, y: 5, width: 20, height: 20, segment: 2 }))]
    await server.call('labelling/save', { readingId, after: 0, steps: mine }, me)
    const saved = { readingId: other.reading?.id ?? '', after: 0, steps: theirs }
    expect((await server.call('labelling/save', saved, reader)).data.missed).toEqual([])
    expect((await open(itemId, me)).steps.map(({ id }) => id)).toEqual(mine.map(({ id }) => id))
    // Nobody writes into another one's, also who may see it.
    const strokes = { readingId: other.reading?.id ?? '', after: 0, steps: [stepOf(segmentDeed(3))] }
    expect((await server.call('labelling/save', strokes, me)).code).toBe(10403)
    expect((await server.call('labelling/save', { ...saved, readingId }, reader)).code).toBe(20703)
  })

  it.each([
    [
      'pixels beyond the image',
      () => rectangle(mapOf(600, 600), { x: 400, y: 400, width: 9, height: 9, segment: 1 }),
    ],
    ['no base64', () => ({ do: 'pixels' as const, patch: '!!!!' })],
    [
      'a slice that is not there',
      () => ({ do: 'thing' as const, before: null, after: boxThing('x', { place: { axis: 2, slice: 1 } }) }),
    ],
    ['a class that is not there', () => segmentDeed(1, 'nothing')],
    ['a label that is not there', () => ({ do: 'tags' as const, before: [], after: ['nothing'] })],
  ])('refuses %s, says at which step, and keeps none of the call', async (_, wrong) => {
    const me = await server.signUp()
    const { itemId, readingId } = await begin(me)
    const steps = [stepOf(segmentDeed(1)), stepOf(wrong())]
    const reply = await server.call('labelling/save', { readingId, after: 0, steps }, me)
    expect(reply.code).toBe(20708)
    expect((await open(itemId, me)).steps).toEqual([])
  })

  it('is folded into a whole that is what all steps make', async () => {
    const me = await server.signUp()
    const { set, readingId } = await begin(me)
    const scan = set.items[3]?.id ?? ''
    const volume = await open(scan, me)
    const id = volume.reading?.id ?? ''
    expect(volume.item.size).toEqual([12, 10, 8])
    const map = mapOf(12, 10, 8)
    const steps = Array.from({ length: 30 }, (_, index) => {
      const drawn = {
        x: index % 7,
        y: index % 5,
        z: index % 8,
        width: 4,
        height: 3,
        segment: 1 + (index % 3),
      }
      return stepOf(rectangle(map, drawn))
    })
    await server.call('labelling/save', { readingId: id, after: 0, steps }, me)
    await fold(server.ctx, id)
    const later = [stepOf(rectangle(map, { x: 0, y: 0, z: 7, width: 12, height: 10, segment: 9 }))]
    await server.call('labelling/save', { readingId: id, after: 30, steps: later }, me)
    const opened = await open(scan, me)
    expect(opened.wholeSeq).toBe(30)
    expect(opened.steps.map((step) => step.id)).toEqual(later.map((step) => step.id))
    const whole = mapFrom([12, 10, 8], fromBase64(opened.whole.pixels))
    for (let z = 0; z < 7; z++)
      for (let y = 0; y < 10; y++)
        for (let x = 0; x < 12; x++) expect(segmentAt(whole, x, y, z)).toBe(segmentAt(map, x, y, z))
    // As it was after any step, also before the whole.
    const { data: early } = await server.call('labelling/asOf', { readingId: id, seq: 12 }, me)
    expect(early).toMatchObject({ wholeSeq: 0 })
    expect(early.steps.map((step) => step.id)).toEqual(steps.slice(0, 12).map((step) => step.id))
    expect(readingId).not.toBe(id)
  })

  it('is folded by the worker after so many steps', async () => {
    const me = await server.signUp()
    const { readingId } = await begin(me)
    const waiting = async () =>
      (
        await server.ctx.pool.query(
          "select count(*)::int as count from pgboss.job where name = 'labelling.fold'",
        )
      ).rows[0].count
    const before = await waiting()
    const steps = Array.from({ length: limits.foldSteps }, () => stepOf(segmentDeed(1)))
    await server.call('labelling/save', { readingId, after: 0, steps: steps.slice(1) }, me)
    expect(await waiting()).toBe(before)
    await server.call('labelling/save', { readingId, after: 0, steps: steps.slice(0, 1) }, me)
    expect(await waiting()).toBe(before + 1)
  })

  it('is folded in bounded memory, and counts boxes as they are whatever a page said was there before', async () => {
    const me = await server.signUp()
    const { set, readingId } = await begin(me)
    const liar = [stepOf({ do: 'thing', before: boxThing('a'), after: boxThing('a') })]
    await server.call('labelling/save', { readingId, after: 0, steps: liar }, me)
    const things = async () => {
      const [row] = await server.ctx.db.select().from(labelReadings).where(eq(labelReadings.id, readingId))
      return row?.things
    }
    expect(await things()).toBe(0)
    await fold(server.ctx, readingId)
    expect(await things()).toBe(1)
    // The change of some hundred kilobytes that touches a tile of each of 20,000 slices.
    await server.ctx.db
      .update(labelItems)
      .set({ width: 2, height: 2, depth: 20_000 })
      .where(eq(labelItems.id, set.items[0]?.id ?? ''))
    const wide = Buffer.alloc(20_000 * 6, Buffer.from([1, 1, 0, 1, 0, 1]))
    const steps = [stepOf({ do: 'pixels', patch: wide.toString('base64') })]
    await server.call('labelling/save', { readingId, after: 1, steps }, me)
    await fold(server.ctx, readingId)
    const { whole, wholeSeq } = await open(set.items[0]?.id ?? '', me)
    expect([wholeSeq, whole.pixels === wide.toString('base64')]).toEqual([2, true])
  })

  it('refuses more than a whole can take in before a worker has folded it, and answers no page with all there is', async () => {
    const me = await server.signUp()
    const { readingId } = await begin(me)
    const steps = [stepOf(segmentDeed(1))]
    await server.call('labelling/save', { readingId, after: 0, steps }, me)
    await server.ctx.pool.query(
      `insert into label_steps select $1, 1 + n, 'filled-' || n, 'filled-stroke', 'brush', 0, now(), '{"do":"pixels"}',
        decode(repeat('00', 1048576), 'hex') from generate_series(1, 80) n`,
      [readingId],
    )
    await server.ctx.pool.query('update label_readings set seq = 81 where id = $1', [readingId])
    const late = [stepOf(segmentDeed(2))]
    const save = (after: number, sent = late) =>
      server.call('labelling/save', { readingId, after, steps: sent }, me)
    expect((await save(81)).data).toMatchObject({ error: 'busy' })
    expect((await save(0, [])).data).toMatchObject({ error: 'too_much_at_once' })
    const { data } = await server.call('labelling/steps', { readingId }, me)
    expect([data.steps.length, data.next]).toEqual([8, 74])
  })

  it('is read backwards by pages, and tells the minutes in which it grew', async () => {
    const me = await server.signUp()
    const { readingId } = await begin(me)
    for (let call = 0; call < 3; call++) {
      const steps = Array.from({ length: 100 }, () => stepOf(segmentDeed(1)))
      await server.call('labelling/save', { readingId, after: 0, steps }, me)
    }
    const { data: last } = await server.call('labelling/steps', { readingId }, me)
    expect([last.steps[0]?.seq, last.steps.at(-1)?.seq, last.next]).toEqual([101, 300, 101])
    const { data: first } = await server.call('labelling/steps', { readingId, before: last.next }, me)
    expect([first.steps[0]?.seq, first.steps.at(-1)?.seq, first.next]).toEqual([1, 100, null])
    const { data } = await server.call('labelling/minutes', { readingId }, me)
    expect(data.minutes.reduce((sum, { steps }) => sum + steps, 0)).toBe(300)
    expect(data.minutes[0]?.seq).toBe(300)
  })
})

describe('classes of a set in use', () => {
  const change = (id: string, who: Session, list: object[]) =>
    server.call('labelling/change', { id, ...settings, classes: list as typeof classes }, who)

  it('are renamed, and not removed while a mark has them', async () => {
    const me = await server.signUp()
    const { set, readingId } = await begin(me)
    await server.call('labelling/save', { readingId, after: 0, steps: [stepOf(segmentDeed(1))] }, me)
    const renamed = classes.map((one) => (one.id === 'cyst' ? { ...one, name: 'Simple cyst' } : one))
    expect((await change(set.id, me, renamed)).data.classes[1]?.name).toBe('Simple cyst')
    const scar = { id: 'scar', name: 'Scar', colour: '#112233' }
    const without = [...classes.filter(({ id }) => id !== 'cyst'), scar]
    expect((await change(set.id, me, without)).code).toBe(20706)
    expect((await change(set.id, me, [...classes.filter(({ id }) => id !== 'stone'), scar])).code).toBe(10200)
  })

  it('come back with the stroke of a page that did not know of the removal', async () => {
    const me = await server.signUp()
    const { set, readingId } = await begin(me)
    const scar = { id: 'scar', name: 'Scar', colour: '#112233', key: 1 }
    await change(set.id, me, [...classes.filter(({ id }) => id !== 'cyst'), scar])
    const reply = await server.call(
      'labelling/save',
      { readingId, after: 0, steps: [stepOf(segmentDeed(1))] },
      me,
    )
    expect(reply.code).toBe(10200)
    const { data } = await server.call('labelling/detail', { id: set.id }, me)
    expect(data.classes.map(({ id, key }) => [id, key])).toEqual([
      ['bg', null],
      ['stone', 2],
      ['scar', 1],
      ['cyst', null],
    ])
  })
})

describe('a reading', () => {
  it('is finished by its reader, judged by a reviewer, and closed once it is accepted', async () => {
    const me = await server.signUp()
    const { set, itemId } = await begin(me)
    const reader = await makeReader(set.id, 'read')
    const reviewer = await makeReader(set.id, 'review')
    const readingId = (await open(itemId, reader)).reading?.id ?? ''
    const to = async (state: 'open' | 'done' | 'accepted' | 'returned', who: Session) =>
      (await server.call('labelling/setState', { readingId, state }, who)).code
    expect(await to('accepted', reviewer)).toBe(20707)
    expect(await to('done', reader)).toBe(10200)
    expect(await to('accepted', reader)).toBe(10403)
    expect(await to('returned', reviewer)).toBe(10200)
    expect((await server.call('labelling/items', { id: set.id, show: 'returned' }, reader)).data.total).toBe(
      1,
    )
    expect(await to('done', reader)).toBe(10200)
    expect(await to('accepted', reviewer)).toBe(10200)
    const late = { readingId, after: 0, steps: [stepOf(segmentDeed(1))] }
    expect((await server.call('labelling/save', late, reader)).code).toBe(20707)
    expect(await to('open', reader)).toBe(20707)
    expect((await server.call('labelling/detail', { id: set.id }, me)).data.finished).toMatchObject({
      any: 1,
      accepted: 1,
      mine: 0,
    })
    expect(await to('open', reviewer)).toBe(10200)
  })

  it('is not seen by another reader who reads blind, and is by the owner', async () => {
    const me = await server.signUp()
    const { set, itemId, readingId } = await begin(me)
    const reader = await makeReader(set.id, 'read')
    await open(itemId, reader)
    const seen = async (who: Session) =>
      (await server.call('labelling/readings', { itemId }, who)).data.readings.map(({ reader: name }) => name)
    expect(await seen(reader)).toEqual([''])
    expect(await seen(me)).toHaveLength(2)
    expect((await server.call('labelling/open', { itemId, readingId }, reader)).code).toBe(20702)
    await server.call('labelling/change', { id: set.id, ...settings, blind: false }, me)
    expect(
      (await server.call('labelling/open', { itemId, readingId }, reader)).data.reading?.isWritable,
    ).toBe(false)
  })

  it('stays without a name in the set of another one when its reader is erased', async () => {
    const me = await server.signUp()
    const { set, itemId } = await begin(me)
    const reader = await makeReader(set.id, 'read')
    const readingId = (await open(itemId, reader)).reading?.id ?? ''
    await server.call('labelling/save', { readingId, after: 0, steps: [stepOf(segmentDeed(1))] }, reader)
    const { eraseOf } = await import('./erase.ts')
    await eraseOf(server.ctx, reader.userId)
    const { data } = await server.call('labelling/readings', { itemId }, me)
    expect(data.readings.map(({ reader: name, seq }) => [name, seq])).toContainEqual(['—', 1])
    await eraseOf(server.ctx, me.userId)
    expect(await server.ctx.db.$count(labelReadings)).toBeGreaterThanOrEqual(0)
    expect((await server.call('labelling/detail', { id: set.id }, me)).code).toBe(20701)
  })
})
