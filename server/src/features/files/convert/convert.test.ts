import type { Conversion, ConversionFormat } from '@neuroloom/contract/conversions'
import { conversions as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice, niftiVolume, tinyPng } from '../../../../test/images.ts'
import { unzip } from '../../../../test/unzip.ts'
import { upload } from '../../../../test/uploads.ts'
import { eraseOf } from '../erase.ts'
import { claim, recover } from './lease.ts'
import { work } from './work.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function put(session: Session, files: Record<string, Buffer>, parentId: string | null = null) {
  const list = Object.entries(files).map(([path, bytes]) => ({ path, bytes }))
  await upload(server, session, { parentId, files: list })
  return entries(session, parentId)
}

/** Ids by name of what lies in a folder. */
async function entries(session: Session, folderId: string | null): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, session)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

type Options = NonNullable<Parameters<typeof server.call<'files/convert'>>[1]['options']>

/** Asks for a conversion and lets the worker do it. */
async function convert(
  session: Session,
  ids: string[],
  format: ConversionFormat,
  options: Options = {},
): Promise<Conversion> {
  const { data, code, message } = await server.call('files/convert', { ids, format, options }, session)
  if (code !== 10200) throw new Error(message)
  expect(data.state).toBe('waiting')
  await work(server.ctx, data.id)
  return find(session, data.id)
}

async function find(session: Session, id: string): Promise<Conversion> {
  const { data } = await server.call('files/conversions', {}, session)
  const found = data.conversions.find((one) => one.id === id)
  if (!found) throw new Error('The conversion is not listed')
  return found
}

async function archived(session: Session): Promise<Conversion[]> {
  const { url } = (await server.call('user/export', {}, session)).data
  const archive = await unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
  return JSON.parse(archive.get('conversions.json')?.bytes.toString() ?? '')
}

const checksOf = ({ items }: Conversion): Record<string, string> =>
  Object.fromEntries(
    (items[0]?.checks ?? []).map(({ what, state, why }) => [what, why ? `${state}: ${why.name}` : state]),
  )

async function space(session: Session): Promise<{ used: number; reserved: number }> {
  const { rows } = await server.ctx.pool.query(
    'select used_bytes::float as used, reserved_bytes::float as reserved from user_storage where user_id = $1',
    [session.userId],
  )
  return rows[0]
}

describe('a volume', () => {
  it('keeps size, spacing, orientation, position and values in NIfTI, NRRD, MHA and DICOM', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'brain.nii.gz': niftiVolume({ size: [6, 5, 4], spacing: [1, 2, 3.5] }) })
    const id = ids.get('brain.nii.gz') ?? ''
    const all = ['size', 'spacing', 'orientation', 'position', 'type', 'values']
    for (const format of ['nrrd', 'mha', 'dicom', 'nifti'] as const) {
      const done = await convert(me, [id], format)
      expect(done).toMatchObject({ state: 'done', through: 1, total: 1, failure: null })
      expect(checksOf(done)).toEqual(Object.fromEntries(all.map((what) => [what, 'kept'])))
    }
    expect([...(await entries(me, null)).keys()].sort()).toEqual(
      ['brain (2).nii.gz', 'brain (DICOM)', 'brain.mha', 'brain.nii.gz', 'brain.nrrd'].sort(),
    )
  })

  it('says what pictures lose, and by which window', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'brain.nii.gz': niftiVolume({ size: [6, 5, 4] }) })
    const done = await convert(me, [...ids.values()], 'png', { window: { center: 40, width: 400 } })
    expect(checksOf(done)).toEqual({
      size: 'kept',
      spacing: 'changed: not_stored',
      orientation: 'changed: not_stored',
      position: 'changed: not_stored',
      type: 'changed',
      values: 'changed: window',
    })
    expect(done.items[0]?.checks.at(-1)?.why?.params).toEqual({ center: '40', width: '400' })
    expect(done.items[0]).toMatchObject({ resultKind: 'folder', resultFiles: 4, resultName: 'brain (PNG)' })
    const inside = await entries(me, done.items[0]?.resultId ?? '')
    expect([...inside.keys()]).toEqual(['brain_001.png', 'brain_002.png', 'brain_003.png', 'brain_004.png'])
  })

  it('counts exactly what it adds, in space and in folders', async () => {
    const me = await server.signUp()
    await server.call('files/createFolder', { parentId: null, name: 'study' }, me)
    const folderId = (await entries(me, null)).get('study') ?? ''
    const ids = await put(me, { 'brain.nii.gz': niftiVolume({ size: [6, 5, 4] }) }, folderId)
    await convert(me, [...ids.values()], 'tiff')
    await convert(me, [...ids.values()], 'jpeg')
    const { rows } = await server.ctx.pool.query(
      `select sum(size_bytes)::float as bytes, count(*)::int as files from files where owner_id = $1 and kind = 'file'`,
      [me.userId],
    )
    expect(rows[0].files).toBe(6)
    expect(await space(me)).toEqual({ used: rows[0].bytes, reserved: 0 })
    const { data } = await server.call('files/list', { folderId: null }, me)
    expect(data.entries[0]).toMatchObject({ sizeBytes: rows[0].bytes, fileCount: 6 })
  })
})

describe('a DICOM folder', () => {
  it('becomes one volume a series, and comes back as a series with the same values', async () => {
    const me = await server.signUp()
    await server.call('files/createFolder', { parentId: null, name: 'scan' }, me)
    const folderId = (await entries(me, null)).get('scan') ?? ''
    const slice = (number: number, series: string) =>
      dicomSlice({ number, z: number * 2, value: number * 10, series })
    await put(
      me,
      {
        ...Object.fromEntries([0, 1, 2, 3].map((number) => [`a${number}.dcm`, slice(number, '2.25.11')])),
        ...Object.fromEntries([0, 1].map((number) => [`b${number}.dcm`, slice(number, '2.25.12')])),
        'notes.txt': Buffer.from('not an image'),
        'brain.nii.gz': niftiVolume({ size: [6, 5, 4] }),
      },
      folderId,
    )
    const done = await convert(me, [folderId], 'nifti')
    expect(done.items.map(({ sourceFiles, state }) => [sourceFiles, state])).toEqual([
      [4, 'done'],
      [2, 'done'],
    ])
    // What was NIfTI already stays the only copy of itself; the results lie in a folder of their own.
    expect([...(await entries(me, folderId)).keys()]).not.toContain('brain (2).nii.gz')
    const beside = await entries(me, null)
    expect([...beside.keys()].sort()).toEqual(['scan', 'scan (NIfTI)'])
    expect(done.folderId).toBe(beside.get('scan (NIfTI)'))
    expect((await entries(me, done.folderId)).size).toBe(2)
    const again = await convert(me, [folderId], 'nifti')
    expect([...(await entries(me, null)).keys()].sort()).toEqual(['scan', 'scan (NIfTI)', 'scan (NIfTI) (2)'])
    expect((await entries(me, again.folderId)).size).toBe(2)
    const back = await convert(me, [done.items[0]?.resultId ?? ''], 'dicom')
    expect(checksOf(back)).toMatchObject({
      size: 'kept',
      spacing: 'kept',
      orientation: 'kept',
      values: 'kept',
    })
    expect(back.items[0]?.resultFiles).toBe(4)
    const first = [...(await entries(me, back.items[0]?.resultId ?? '')).values()][0] ?? ''
    const { data } = await server.call('files/view', { id: first, series: true }, me)
    expect(data).toMatchObject({
      facts: { size: [4, 3, 4, 1], spacing: [0.5, 0.5, 2] },
      series: { files: 4 },
    })
  })
})

describe('what goes wrong', () => {
  it('is told for each file, leaves the others done, and can be tried again', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'broken.nii': Buffer.from('nothing'), 'picture.png': await tinyPng() })
    const done = await convert(me, [...ids.values()], 'tiff')
    expect(done.state).toBe('failed')
    const states = Object.fromEntries(
      done.items.map((item) => [item.sourceName, `${item.state} ${item.reason?.name ?? ''}`]),
    )
    expect(states).toEqual({ 'broken.nii': 'failed not_this_kind', 'picture.png': 'done ' })
    await server.call('files/retryConversion', { id: done.id }, me)
    await work(server.ctx, done.id)
    expect(await find(me, done.id)).toMatchObject({ state: 'failed', through: 2 })
    // Only the failed one was done again.
    expect([...(await entries(me, null)).keys()].sort()).toEqual(['broken.nii', 'picture.png', 'picture.tif'])
    expect((await server.call('files/cancelConversion', { id: done.id }, me)).data.error).toBe(
      'conversion_state',
    )
  })

  it('is refused before it begins: nothing to convert, foreign files, too many waiting', async () => {
    const [me, other] = [await server.signUp(), await server.signUp()]
    const ids = await put(me, { 'a.txt': Buffer.from('x'), 'b.png': await tinyPng() })
    const ask = async (who: Session, name: string): Promise<string | undefined> => {
      const body = { ids: [ids.get(name) ?? ''], format: 'tiff' as const }
      return (await server.call('files/convert', body, who)).data.error
    }
    expect(await ask(me, 'a.txt')).toBe('conversion_nothing')
    expect(await ask(other, 'b.png')).toBe('missing')
    await server.call('files/createFolder', { parentId: null, name: 'ready' }, me)
    const ready = (await entries(me, null)).get('ready') ?? ''
    await put(me, { 'brain.nii.gz': niftiVolume({ size: [6, 5, 4] }) }, ready)
    const same = await server.call('files/convert', { ids: [ready], format: 'nifti' }, me)
    expect(same.data.error).toBe('conversion_nothing')
    for (let count = 0; count < limits.waiting; count += 1) expect(await ask(me, 'b.png')).toBeUndefined()
    expect(await ask(me, 'b.png')).toBe('conversion_waiting')
    expect((await server.call('files/conversions', {}, other)).data.conversions).toEqual([])
  })

  it('when space runs out, leaves nothing behind and no space reserved', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'brain.nii.gz': niftiVolume({ size: [20, 20, 20] }) })
    const before = await space(me)
    await server.ctx.pool.query('update user_storage set used_bytes = 1073741824 - 100 where user_id = $1', [
      me.userId,
    ])
    const failed = await convert(me, [...ids.values()], 'nrrd')
    expect(failed).toMatchObject({ state: 'failed', failure: 'storage_full' })
    expect((await space(me)).reserved).toBe(0)
    await server.ctx.pool.query('update user_storage set used_bytes = $2 where user_id = $1', [
      me.userId,
      before.used,
    ])
    await server.call('files/retryConversion', { id: failed.id }, me)
    await work(server.ctx, failed.id)
    expect((await find(me, failed.id)).state).toBe('done')
  })

  it('when it is given up, what waits stays undone and its space comes back', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'b.png': await tinyPng() })
    const { data } = await server.call('files/convert', { ids: [...ids.values()], format: 'tiff' }, me)
    expect((await server.call('files/cancelConversion', { id: data.id }, me)).data.state).toBe('cancelled')
    await work(server.ctx, data.id)
    expect(await find(me, data.id)).toMatchObject({ state: 'cancelled', items: [] })
    expect((await space(me)).reserved).toBe(0)
  })

  it('when the account is closed, goes with it', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'b.png': await tinyPng() })
    await convert(me, [...ids.values()], 'tiff')
    await server.call('files/convert', { ids: [...ids.values()], format: 'nrrd' }, me)
    await eraseOf(server.ctx, me.userId)
    const { rows } = await server.ctx.pool.query('select 1 from conversions where owner_id = $1', [me.userId])
    expect(rows).toEqual([])
  })

  it('is told in the member’s archive, with what was kept and changed', async () => {
    const [me, other] = [await server.signUp(), await server.signUp()]
    const ids = await put(me, { 'b.png': await tinyPng() })
    const first = await convert(me, [...ids.values()], 'tiff')
    const second = await convert(me, [...ids.values()], 'nrrd')
    expect((await archived(me)).map(({ id }) => id)).toEqual([first.id, second.id])
    expect((await archived(me))[0]).toEqual(await find(me, first.id))
    expect(await archived(other)).toEqual([])
  })

  it('when the worker dies, another one goes on after the lease, with nothing twice', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'b.png': await tinyPng() })
    const { data } = await server.call('files/convert', { ids: [...ids.values()], format: 'tiff' }, me)
    // It took the work and was never heard of again.
    await claim(server.ctx, data.id)
    await work(server.ctx, data.id)
    expect((await find(me, data.id)).state).toBe('converting')
    server.forward(2 * limits.leaseMs)
    await server.ctx.pool.query(`delete from pgboss.job where name = 'files.convert'`)
    await recover(server.ctx)
    const { rows } = await server.ctx.pool.query(`select 1 from pgboss.job where singleton_key = $1`, [
      data.id,
    ])
    expect(rows).toHaveLength(1)
    await work(server.ctx, data.id)
    expect((await find(me, data.id)).state).toBe('done')
    expect([...(await entries(me, null)).keys()].sort()).toEqual(['b.png', 'b.tif'])
  })
})
