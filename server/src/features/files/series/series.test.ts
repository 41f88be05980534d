import type { Body } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Drawn, drawDicom } from '../../../../test/dicom.ts'
import { makeServer, type Reply, type Session, type TestServer } from '../../../../test/harness.ts'
import { putBelow, upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { checkNew } from '../check.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** Files below one folder, looked at as after an upload. */
async function put(owner: Session, files: Record<string, Buffer | string>) {
  const found = await putBelow(server, owner, files)
  await checkNew(makeWorker(server), owner.userId)
  return found
}

/** Two series, a slice of a third, and what else lies in folders. */
const ward = () => ({
  'a1.dcm': slice(0),
  'a2.dcm': slice(1),
  'a3.dcm': slice(2),
  '10': slice(0, { series: '2.25.71', size: [64, 64] }),
  '11': slice(1, { series: '2.25.71', size: [64, 64] }),
  'lone.dcm': slice(0, { series: '2.25.72' }),
  'note.txt': 'seen by the ward',
  'below/b1.dcm': slice(0, { series: '2.25.73' }),
  'below/b2.dcm': slice(1, { series: '2.25.73' }),
})
const slice = (number: number, more: Drawn = {}): Buffer => drawDicom({ number, z: 3 * number, ...more })

type Asked = Omit<Body<'files/list'>, 'folderId'>
const list = async (who: Session, folderId: string | null, asked: Asked = {}) => {
  const { data, code, message }: Reply<'files/list'> = await server.call(
    'files/list',
    { folderId, series: 'rows', ...asked },
    who,
  )
  if (code !== 10200) throw new Error(message)
  return data
}
/** A line of a list: what it is called, and of how many files it is. */
const lines = ({ entries }: Reply<'files/list'>['data']): string[] =>
  entries.map(({ name, series }) => (series ? `${series.description} of ${series.files}` : name))

describe('DICOM series in a folder', () => {
  it('are one entry each after the folders, with their middle file, and the size and count of all', async () => {
    const me = await server.signUp()
    const { top, idOf } = await put(me, ward())
    const data = await list(me, top)
    expect(lines(data)).toEqual(['below', 'Drawn of 3', 'Drawn of 2', 'lone.dcm', 'note.txt'])
    expect([data.total, data.series, data.next]).toEqual([5, 2, null])
    const three = data.entries[1]
    const sizeBytes = [0, 1, 2].reduce((sum, number) => sum + slice(number).length, 0)
    expect(three).toMatchObject({ id: idOf('a2.dcm'), kind: 'file', sizeBytes })
    expect(three?.thumbnail).not.toBeNull()
    expect(lines(await list(me, idOf('below')))).toEqual(['Drawn of 2'])
  })

  it('are files where nothing else is asked for, and counted all the same on demand', async () => {
    const me = await server.signUp()
    const { top } = await put(me, ward())
    const names = ['below', '10', '11', 'a1.dcm', 'a2.dcm', 'a3.dcm', 'lone.dcm', 'note.txt']
    const plain = await list(me, top, { series: 'files' })
    expect([lines(plain), plain.total, plain.series]).toEqual([names, 8, undefined])
    const counted = await list(me, top, { series: 'counted' })
    expect([lines(counted), counted.total, counted.series]).toEqual([names, 8, 2])
  })

  it('are sorted by what they are together, and filtered as volumes', async () => {
    const me = await server.signUp()
    const { top } = await put(me, ward())
    const bySize = await list(me, top, { sort: 'size', descending: true })
    // Two large slices are more than three small ones.
    expect(lines(bySize).slice(0, 3)).toEqual(['below', 'Drawn of 2', 'Drawn of 3'])
    expect(lines(await list(me, top, { sort: 'size' })).slice(0, 3)).toEqual([
      'below',
      'Drawn of 3',
      'Drawn of 2',
    ])
    const volumes = await list(me, top, { filter: 'volume' })
    expect([lines(volumes), volumes.total]).toEqual([['Drawn of 3', 'Drawn of 2', 'lone.dcm'], 3])
    expect(lines(await list(me, top, { filter: 'document' }))).toEqual(['note.txt'])
  })

  it('are found by their name with all their files; a file by its own, alone', async () => {
    const me = await server.signUp()
    const { top } = await put(me, ward())
    const found = await list(me, top, { search: 'dRAw' })
    expect([lines(found), found.total, found.series]).toEqual([['Drawn of 3', 'Drawn of 2'], 2, 2])
    expect(lines(await list(me, top, { search: 'a2' }))).toEqual(['a2.dcm'])
    const below = await list(me, top, { search: '.dcm', below: true })
    expect(below.entries.map(({ name, series }) => [name, series])).toContainEqual(['b1.dcm', undefined])
  })

  it('stay whole where a page ends between them, and nothing comes twice', async () => {
    const me = await server.signUp()
    const { top } = await put(me, ward())
    await server.ctx.pool.query(
      `insert into files (id, owner_id, parent_id, kind, name, search_name, sort_name, modified_at)
       select 'f' || n || $1, $2, $1, 'folder', 'f' || n, 'f' || n, 'f' || n, now() from generate_series(1, 98) n`,
      [top, me.userId],
    )
    for (const descending of [false, true]) {
      const first = await list(me, top, { descending })
      expect([first.entries.length, first.total]).toEqual([100, 103])
      const second = await list(me, top, { descending, after: first.next })
      const rest = descending
        ? ['Drawn of 3', 'note.txt', 'lone.dcm']
        : ['Drawn of 2', 'lone.dcm', 'note.txt']
      expect(lines(second)).toEqual(rest)
      expect(first.entries.at(-1)?.series?.files).toBe(descending ? 2 : 3)
      // A place among series means nothing where files are listed.
      const asked = { folderId: top, descending, after: first.next }
      expect((await server.call('files/list', asked, me)).data.error).toBe('missing')
    }
  })

  it('lead to all of their files, so that these are moved or removed together', async () => {
    const me = await server.signUp()
    const { top, idOf } = await put(me, ward())
    const filesOf = async (name: string, who = me) =>
      (await server.call('files/seriesFiles', { id: idOf(name) }, who)).data
    const { entries } = await filesOf('a2.dcm')
    expect(entries.map(({ name }) => name)).toEqual(['a1.dcm', 'a2.dcm', 'a3.dcm'])
    for (const alone of ['lone.dcm', 'note.txt', 'below/b1.dcm'])
      expect((await filesOf(alone)).entries.length).toBe(alone === 'below/b1.dcm' ? 2 : 1)
    const stranger = await server.signUp()
    expect(await filesOf('a2.dcm', stranger)).toMatchObject({ error: 'missing' })
    await server.call('files/remove', { ids: entries.map(({ id }) => id) }, me)
    expect(lines(await list(me, top))).toEqual(['below', 'Drawn of 2', 'lone.dcm', 'note.txt'])
  })

  it('are not made of copies of one slice', async () => {
    const me = await server.signUp()
    const { top } = await put(me, { 'a.dcm': slice(0), 'b.dcm': slice(0) })
    expect(lines(await list(me, top))).toEqual(['a.dcm', 'b.dcm'])
  })
})

describe('a series in somebody else’s folder', () => {
  it('counts the files that were given along, and leads to these alone', async () => {
    const [owner, friend] = [await server.signUp({ vipLevel: 4 }), await server.signUp()]
    const { top, idOf } = await put(owner, { 'a1.dcm': slice(0), 'a2.dcm': slice(1) })
    await server.call('files/share', { id: top, account: friend.account, permission: 'view' }, owner)
    // What comes later is not given along by itself.
    const bytes = slice(2, { patientName: 'Canary^Name' })
    await upload(server, owner, { parentId: top, files: [{ path: 'named.dcm', bytes }] })
    await checkNew(makeWorker(server), owner.userId)
    expect(lines(await list(owner, top))).toEqual(['Drawn of 3'])
    const seen = await list(friend, top)
    expect([lines(seen), seen.total, seen.withheld]).toEqual([['Drawn of 2'], 1, 1])
    const { entries } = (await server.call('files/seriesFiles', { id: idOf('a1.dcm') }, friend)).data
    expect(entries.map(({ name }) => name)).toEqual(['a1.dcm', 'a2.dcm'])
  })
})
