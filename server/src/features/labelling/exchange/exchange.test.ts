import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Exchange, LabelFormat } from '@neuroloom/contract/labelling/exchange'
import { labelExchange as limits } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { niftiVolume } from '../../../../test/images.ts'
import { meaningOf } from '../../../../test/label-files.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { gather } from '../gather.ts'
import { labelItems, labelReadings, labelSteps } from '../tables.ts'
import { marksOf } from '../wholes.ts'
import { claim, recover } from './lease.ts'
import { work } from './work.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const plain = { description: '', key: null, use: 'class' as const, skeleton: null }
const classes: LabelClass[] = [
  { ...plain, id: 'cell', name: 'Cell', colour: '#e69f00' },
  { ...plain, id: 'nerve', name: 'Nerve', colour: '#56b4e9' },
]

const picture = (width = 40, height = 30): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .png()
    .toBuffer()

async function folderOf(session: Session, name: string): Promise<string> {
  const { data } = await server.call('files/list', { folderId: null }, session)
  const found = data.entries.find((entry) => entry.name === name)
  if (!found) throw new Error(`No folder ${name}`)
  return found.id
}

async function put(
  session: Session,
  folder: string,
  files: Record<string, Buffer | string>,
): Promise<string> {
  const list = Object.entries(files).map(([path, bytes]) => ({
    path: `${folder}/${path}`,
    bytes: Buffer.from(bytes),
  }))
  await upload(server, session, { parentId: null, files: list })
  return folderOf(session, folder)
}

async function makeSet(session: Session, files: Record<string, Buffer>, name = 'pictures'): Promise<string> {
  const folderId = await put(session, name, files)
  const { data } = await server.call(
    'labelling/create',
    { name, description: 'Cells', classes, marks: ['boxes', 'outlines', 'pixels', 'tags'], folderId },
    session,
  )
  await gather(makeWorker(server), data.id)
  return data.id
}

async function find(session: Session, setId: string, id: string): Promise<Exchange> {
  const { data } = await server.call('labelling/exchanges', { id: setId }, session)
  const found = data.exchanges.find((one) => one.id === id)
  if (!found) throw new Error('The exchange is not listed')
  return found
}

async function planImport(session: Session, setId: string, folderId: string): Promise<Exchange> {
  const { data } = await server.call('labelling/importPlan', { id: setId, folderId }, session)
  await work(server.ctx, data.id)
  return find(session, setId, data.id)
}

type Merge = 'add' | 'replace' | 'empty'

async function importAll(session: Session, plan: Exchange, merge: Merge = 'add'): Promise<Exchange> {
  const to = (plan.importPlan?.classes ?? []).map((one) => ({ name: one.name, to: one.proposed ?? 'new' }))
  const { message } = await server.call(
    'labelling/import',
    { exchangeId: plan.id, merge, classes: to },
    session,
  )
  await work(server.ctx, plan.id)
  expect(message).toBeTruthy()
  return find(session, plan.setId, plan.id)
}

async function exportAs(session: Session, setId: string, format: LabelFormat): Promise<Exchange> {
  const { data } = await server.call('labelling/exportPlan', { id: setId, whose: 'mine' }, session)
  await work(server.ctx, data.id)
  await server.call('labelling/export', { exchangeId: data.id, format }, session)
  await work(server.ctx, data.id)
  return find(session, setId, data.id)
}

async function marksIn(session: Session, setId: string, name: string) {
  const [found] = await server.ctx.db
    .select({ reading: labelReadings })
    .from(labelReadings)
    .innerJoin(labelItems, eq(labelItems.id, labelReadings.itemId))
    .where(
      and(eq(labelItems.setId, setId), eq(labelItems.name, name), eq(labelReadings.readerId, session.userId)),
    )
  const marks = found && (await marksOf(server.ctx.db, found.reading))
  const { data } = await server.call('labelling/detail', { id: setId }, session)
  const names = new Map(data.classes.map((one) => [one.id, one.name]))
  return marks ? meaningOf(marks, names) : null
}

const coco = JSON.stringify({
  images: [
    { id: 1, file_name: 'a.png', width: 40, height: 30 },
    { id: 2, file_name: 'B.PNG', width: 40, height: 30 },
    { id: 3, file_name: 'gone.png' },
  ],
  categories: [
    { id: 1, name: 'cell' },
    { id: 2, name: 'Vessel' },
  ],
  annotations: [
    { image_id: 1, category_id: 1, bbox: [1, 2, 3, 4] },
    { image_id: 1, category_id: 2, segmentation: [[5, 5, 9, 5, 9, 9]] },
    { image_id: 2, category_id: 1, segmentation: { size: [30, 40], counts: [30, 60, 1110] } },
  ],
})
const a = [
  '["Cell",{"axis":2,"slice":0},{"angle":0,"height":4,"kind":"box","width":3,"x":1,"y":2},[]]',
  '["Vessel",{"axis":2,"slice":0},{"kind":"outline","rings":[[5,5,9,5,9,9]]},[]]',
]

describe('labels that come in', () => {
  it('are looked at first: images, classes, names that differ in case alone, what is wrong', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, { 'a.png': await picture(), 'deep/b.png': await picture() })
    const plan = await planImport(me, set, await put(me, 'labels', { 'coco.json': coco }))
    expect(plan).toMatchObject({ state: 'planned', failure: null, folderName: 'labels' })
    expect(plan.importPlan).toMatchObject({ found: 'coco', images: 2, marked: 0, problemCount: 1 })
    expect(plan.importPlan?.problems[0]).toMatchObject({
      reason: 'image_missing',
      params: { name: 'gone.png' },
    })
    expect(
      plan.importPlan?.classes.map(({ name, proposed, isAlike, count }) => [name, proposed, isAlike, count]),
    ).toEqual([
      ['cell', 'cell', true, 2],
      ['Vessel', null, false, 1],
    ])
    expect(await marksIn(me, set, 'a.png')).toBeNull()
  })

  it('become one stroke an image, once, with new classes of the set', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, { 'a.png': await picture(), 'deep/b.png': await picture() })
    const plan = await planImport(me, set, await put(me, 'labels', { 'coco.json': coco }))
    expect(await importAll(me, plan)).toMatchObject({ state: 'done', done: 2, total: 2 })
    expect((await marksIn(me, set, 'a.png'))?.things).toEqual(a)
    expect((await marksIn(me, set, 'deep/b.png'))?.segments).toHaveLength(1)
    const { data } = await server.call('labelling/detail', { id: set }, me)
    expect(data.classes.map(({ name }) => name)).toEqual(['Cell', 'Nerve', 'Vessel'])
    const steps = await server.ctx.db.select().from(labelSteps)
    const own = steps.filter(({ stroke }) => stroke === plan.id)
    expect(new Set(own.map(({ tool }) => tool))).toEqual(new Set(['import']))
    expect(own.map(({ deed }) => deed.do).sort()).toEqual(['pixels', 'segment', 'thing', 'thing'])
  })

  it('are added, take the place of others, or come only where nothing is', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, { 'a.png': await picture() })
    const folder = await put(me, 'labels', { 'coco.json': coco })
    await importAll(me, await planImport(me, set, folder))
    await importAll(me, await planImport(me, set, folder), 'empty')
    expect((await marksIn(me, set, 'a.png'))?.things).toHaveLength(2)
    await importAll(me, await planImport(me, set, folder), 'add')
    expect((await marksIn(me, set, 'a.png'))?.things).toHaveLength(4)
    const plan = await planImport(me, set, folder)
    expect(plan.importPlan).toMatchObject({ marked: 1 })
    await importAll(me, plan, 'replace')
    expect((await marksIn(me, set, 'a.png'))?.things).toEqual(a)
  })

  it('of new classes that differ in case alone become one', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, { 'a.png': await picture() })
    const twice = coco.replace('"cell"', '"VESSEL"')
    const plan = await planImport(me, set, await put(me, 'labels', { 'coco.json': twice }))
    expect(await importAll(me, plan)).toMatchObject({ state: 'done' })
    const { data } = await server.call('labelling/detail', { id: set }, me)
    expect(data.classes.map(({ name }) => name)).toEqual(['Cell', 'Nerve', 'VESSEL'])
    expect((await marksIn(me, set, 'a.png'))?.things).toHaveLength(2)
  })

  it('that fit no image come with the reasons, and nothing to take in', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, { 'other.png': await picture() })
    const plan = await planImport(me, set, await put(me, 'labels', { 'coco.json': coco }))
    expect(plan).toMatchObject({ state: 'planned', failure: null })
    expect(plan.importPlan).toMatchObject({ found: 'coco', images: 0, problemCount: 3 })
    const cut = await planImport(me, set, await put(me, 'cut', { 'labels.json': coco.slice(0, -5) }))
    expect(cut.importPlan?.problems).toMatchObject([{ path: 'labels.json', reason: 'file_unreadable' }])
  })

  it('stay out of what a reviewer accepted, which is told at the end', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, { 'a.png': await picture(), 'deep/b.png': await picture() })
    const folder = await put(me, 'labels', { 'coco.json': coco })
    await importAll(me, await planImport(me, set, folder))
    await server.ctx.db
      .update(labelReadings)
      .set({ state: 'accepted' })
      .where(eq(labelReadings.readerId, me.userId))
    const { state, importPlan } = await importAll(me, await planImport(me, set, folder))
    expect({ state, problemCount: importPlan?.problemCount }).toEqual({ state: 'done', problemCount: 2 })
    expect(importPlan?.problems[0]).toMatchObject({ reason: 'already_accepted', params: { name: 'a.png' } })
    expect((await marksIn(me, set, 'a.png'))?.things).toEqual(a)
  })

  it('go on after the worker died, with nothing twice', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, { 'a.png': await picture(), 'deep/b.png': await picture() })
    const plan = await planImport(me, set, await put(me, 'labels', { 'coco.json': coco }))
    await importAll(me, plan)
    // As if it had died after the images and before the end.
    await server.ctx.pool.query(`update label_exchanges set state = 'working', attempts = 0 where id = $1`, [
      plan.id,
    ])
    await claim(server.ctx, plan.id)
    await work(server.ctx, plan.id)
    expect((await find(me, set, plan.id)).state).toBe('working')
    server.forward(2 * limits.leaseMs)
    await server.ctx.pool.query(`delete from pgboss.job where name = 'labelling.exchange'`)
    await recover(server.ctx)
    const { rows } = await server.ctx.pool.query('select 1 from pgboss.job where singleton_key = $1', [
      plan.id,
    ])
    expect(rows).toHaveLength(1)
    await work(server.ctx, plan.id)
    expect((await find(me, set, plan.id)).state).toBe('done')
    expect((await marksIn(me, set, 'a.png'))?.things).toEqual(a)
  })

  it('are refused where nothing is found, to others, and without the word of the set’s owner for new classes', async () => {
    const [me, other] = [await server.signUp({ vipSuper: 1 }), await server.signUp()]
    const set = await makeSet(me, { 'a.png': await picture() })
    const nothing = await planImport(me, set, await put(me, 'empty', { 'notes.txt': 'no labels' }))
    expect(nothing).toMatchObject({ state: 'failed', failure: 'nothing_found' })
    // A list beyond what is read at once is told as such, with a remedy; its size alone decides.
    const large = await put(me, 'large', { 'annotations.json': '{}' })
    await server.ctx.pool.query('update files set size_bytes = $1 where parent_id = $2', [
      limits.listBytes + 1,
      large,
    ])
    expect(await planImport(me, set, large)).toMatchObject({ state: 'failed', failure: 'list_too_large' })
    const labels = await put(me, 'labels', { 'coco.json': coco })
    const error = async (who: Session, id = set, folderId = labels) =>
      (await server.call('labelling/importPlan', { id, folderId }, who)).data.error
    expect(await error(other)).toBe('label_set_missing')
    expect(await error(me, set, await put(other, 'others', { 'coco.json': coco }))).toBe('missing')
    const plan = await planImport(me, set, labels)
    const asked = { exchangeId: plan.id, merge: 'add' as const, classes: [] }
    expect((await server.call('labelling/import', asked, other)).data.error).toBe('exchange_missing')
    await server.call('labelling/cancelExchange', { exchangeId: plan.id }, me)
    expect((await server.call('labelling/import', asked, me)).data.error).toBe('exchange_state')
  })
})

describe('labels that go out', () => {
  it('say what a format loses, lie in a new folder beside the images, and come in again the same', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(me, {
      'a.png': await picture(),
      'deep/b.png': await picture(),
      'c.png': await picture(),
    })
    await importAll(me, await planImport(me, set, await put(me, 'labels', { 'coco.json': coco })))
    const { data } = await server.call('labelling/exportPlan', { id: set, whose: 'mine' }, me)
    await work(server.ctx, data.id)
    const { exportPlan } = await find(me, set, data.id)
    expect(exportPlan).toMatchObject({ images: 2, unmarked: 1, marks: 3 })
    expect(exportPlan?.losses.coco).toEqual([])
    expect(exportPlan?.losses.yolo_boxes).toEqual([
      { feature: 'outlines', becomes: 'box', count: 1 },
      { feature: 'pixels', becomes: 'box', count: 1 },
    ])
    for (const format of ['coco', 'cvat', 'labelme'] as const) {
      const before = [await marksIn(me, set, 'a.png'), await marksIn(me, set, 'deep/b.png')]
      const done = await exportAs(me, set, format)
      expect(done).toMatchObject({ state: 'done', done: 2 })
      await importAll(me, await planImport(me, set, done.folderId ?? ''), 'replace')
      expect([await marksIn(me, set, 'a.png'), await marksIn(me, set, 'deep/b.png')]).toEqual(before)
    }
    const { data: top } = await server.call('files/list', { folderId: null }, me)
    expect(top.entries.map(({ name }) => name)).toContain('pictures (COCO)')
    const { rows } = await server.ctx.pool.query(
      `select sum(size_bytes)::float as files, (select used_bytes::float from user_storage where user_id = $1) as used,
        (select reserved_bytes::float from user_storage where user_id = $1) as reserved
      from files where owner_id = $1 and kind = 'file'`,
      [me.userId],
    )
    expect(rows[0]).toEqual({ files: rows[0].used, used: rows[0].used, reserved: 0 })
  })

  it('keep the place of a volume', async () => {
    const me = await server.signUp({ vipSuper: 1 })
    const set = await makeSet(
      me,
      { 'brain.nii.gz': niftiVolume({ size: [12, 10, 6], spacing: [1, 2, 3] }) },
      'brains',
    )
    const at = (x: number, y: number, z: number): number => Number(x > 3 && x < 8 && y > 2 && z === 4)
    const mask = niftiVolume({ size: [12, 10, 6], spacing: [1, 2, 3], at })
    await importAll(me, await planImport(me, set, await put(me, 'masks', { 'brain_mask.nii.gz': mask })))
    const before = await marksIn(me, set, 'brain.nii.gz')
    expect(before?.segments).toHaveLength(1)
    for (const format of ['nifti', 'nrrd', 'seg_nrrd'] as const) {
      const done = await exportAs(me, set, format)
      await importAll(me, await planImport(me, set, done.folderId ?? ''), 'replace')
      expect(await marksIn(me, set, 'brain.nii.gz')).toEqual(before)
    }
    const seg = await exportAs(me, set, 'dicom_seg')
    expect(seg).toMatchObject({ state: 'failed', failure: 'nothing_marked' })
  })

  it('are refused: nothing marked, others’ marks, too many at once, no space', async () => {
    const me = await server.signUp()
    const set = await makeSet(me, { 'a.png': await picture() })
    expect(await exportAs(me, set, 'coco')).toMatchObject({ state: 'failed', failure: 'nothing_marked' })
    await importAll(me, await planImport(me, set, await put(me, 'labels', { 'coco.json': coco })))
    await server.ctx.pool.query('update user_storage set used_bytes = 1073741824 - 10 where user_id = $1', [
      me.userId,
    ])
    expect(await exportAs(me, set, 'coco')).toMatchObject({
      state: 'failed',
      failure: 'storage_full',
      folderId: null,
    })
    const ask = async () =>
      (await server.call('labelling/exportPlan', { id: set, whose: 'newest' }, me)).data.error
    for (let count = 0; count < limits.waiting; count += 1) expect(await ask()).toBeUndefined()
    expect(await ask()).toBe('exchange_waiting')
  })
})
