import type { FileFilter, Sort } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idAt } from '../../../test/cloud.ts'
import { makeServer, type Reply, type Session, type TestServer } from '../../../test/harness.ts'
import { makeFolder } from '../../../test/sharing.ts'
import { upload } from '../../../test/uploads.ts'

let server: TestServer
let me: Session
let folderId: string
const kinds = ['txt', 'png', 'dcm', 'nii.gz', 'mp4', 'zip', 'PNG', 'unknown', '']

beforeAll(async () => {
  server = await makeServer()
  me = await server.signUp({ vipLevel: 4 })
  folderId = (await upload(server, me, { files: [{ path: 'set/x', bytes: Buffer.from('x') }] })) ?? ''
  for (const name of ['b', 'a', 'folder 10', 'folder 9']) await makeFolder(server, me, name, folderId)
  await fill(folderId, 250)
})
afterAll(() => server.close())

/** Many files of one stored byte, with names, sizes and times that repeat: ties are where pages go wrong. */
async function fill(parentId: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => `File ${n}${kinds[n % 9] ? '.' : ''}${kinds[n % 9]}`)
  await server.ctx.pool.query(
    `insert into files (id, owner_id, parent_id, kind, name, search_name, sort_name, type, sha256, size_bytes, file_count, modified_at)
     select substr(md5($2 || n::text), 1, 16), f.owner_id, $2, 'file', name, lower(name),
       'file ' || lpad(n::text, 8, '0') || substr(lower(name), length('file ' || n) + 1),
       coalesce(lower(substring(name from '\\.([^.]*)$')), ''),
       f.sha256, n % 7, 1, timestamptz '2026-01-01' + (n % 5) * interval '1 day'
     from unnest($1::text[]) with ordinality as given (name, n1), lateral (select n1 - 1 as n) m,
       lateral (select owner_id, sha256 from files where parent_id = $2 and sha256 is not null limit 1) f`,
    [names, parentId],
  )
}

type Asked = { sort?: Sort; descending?: boolean; filter?: FileFilter; search?: string; below?: boolean }

/** All pages, and the total that the first one told. */
async function all(asked: Asked, from: string | null = folderId) {
  const entries: {
    id: string
    kind: string
    name: string
    type: string
    sizeBytes: number
    modifiedAt: string
  }[] = []
  let after: string | null = null
  let total = -1
  do {
    const { data, code }: Reply<'files/list'> = await server.call(
      'files/list',
      { folderId: from, after, ...asked },
      me,
    )
    expect(code).toBe(10200)
    expect(data.entries.length).toBeLessThanOrEqual(limits.pageSize)
    if (total < 0) total = data.total
    entries.push(...data.entries)
    after = data.next
  } while (after !== null)
  return { entries, total }
}

describe('pages', () => {
  const values = {
    name: (entry: { name: string }) =>
      entry.name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(8, '0')),
    type: (entry: { type: string }) => entry.type,
    size: (entry: { sizeBytes: number }) => String(entry.sizeBytes).padStart(12, '0'),
    modified: (entry: { modifiedAt: string }) => entry.modifiedAt,
  }
  const sorts = ['name', 'type', 'size', 'modified'] as const
  const cases = sorts.flatMap((sort) => [
    { sort, descending: false },
    { sort, descending: true },
  ])

  it.each(cases)('hold every entry once, by $sort, descending: $descending', async ({ sort, descending }) => {
    const { entries, total } = await all({ sort, descending })
    expect(total).toBe(255)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(255)
    expect(entries.slice(0, 4).map(({ kind }) => kind)).toEqual(Array(4).fill('folder'))
    const sorted = entries.slice(4).map(values[sort])
    const expected = [...sorted].sort((a, b) => (a < b ? -1 : Number(a > b)))
    expect(sorted).toEqual(descending ? expected.reverse() : expected)
  })

  it('go on after entries that were renamed or removed meanwhile', async () => {
    const parentId = await makeFolder(server, me, 'changing')
    for (let n = 10; n < limits.pageSize + 12; n += 1) await makeFolder(server, me, `f${n}`, parentId)
    const first = await server.call('files/list', { folderId: parentId }, me)
    const [renamed, removed] = first.data.entries.slice(-2)
    await server.call('files/remove', { ids: [removed?.id ?? ''] }, me)
    await server.call('files/rename', { id: renamed?.id ?? '', name: 'a' }, me)
    const second = await server.call('files/list', { folderId: parentId, after: first.data.next }, me)
    expect(second.data.entries.map(({ name }) => name)).toEqual(['f110', 'f111'])
  })

  it('refuse a place that belongs to another question, another member, or was made up', async () => {
    const { data } = await server.call('files/list', { folderId, sort: 'size' }, me)
    const stranger = await server.signUp()
    const after = data.next ?? ''
    const forged = `${Buffer.from('{"kind":"file","values":["x"]}').toString('base64url')}.${after.split('.')[1]}`
    const refused = [
      await server.call('files/list', { folderId, sort: 'name', after }, me),
      await server.call('files/list', { folderId, sort: 'size', search: 'x', after }, me),
      await server.call('files/list', { folderId, sort: 'size', after: forged }, me),
      await server.call('files/list', { folderId, sort: 'size', after: 'x' }, me),
      await server.call('files/list', { folderId, sort: 'size', after }, stranger),
    ]
    expect(refused.map((reply) => reply.data.error)).toEqual(refused.map(() => 'missing'))
  })
})

describe('filters and searches', () => {
  it.each([
    ['folder', 4, ['']],
    ['image', 56, ['png']],
    ['volume', 56, ['dcm', 'gz']],
    ['video', 28, ['mp4']],
    ['document', 28, ['txt']],
    ['archive', 28, ['zip']],
  ] as const)('%s: only these, in all sorts', async (filter, count, types) => {
    for (const sort of ['name', 'size'] as const) {
      const { entries, total } = await all({ filter, sort })
      expect([entries.length, total]).toEqual([count, count])
      expect([...new Set(entries.map(({ type }) => type))].sort()).toEqual(types)
    }
  })

  it('find in the folders below when asked, over several pages, and nothing removed', async () => {
    const inner = (await upload(server, me, {
      parentId: await idAt(server, me, 'set/a'),
      files: [{ path: 'inner/file 7 below.txt', bytes: Buffer.from('7') }],
    })) as string
    expect((await all({ search: 'FILE 7 below' })).total).toBe(0)
    const found = await all({ search: 'FILE 7 below', below: true })
    expect(found.entries.map(({ name }) => name)).toEqual(['file 7 below.txt'])
    const everything = await all({ below: true, search: 'file', sort: 'modified', descending: true }, null)
    expect([everything.entries.length, everything.total]).toEqual([251, 251])
    await server.call('files/remove', { ids: [inner] }, me)
    expect((await all({ search: 'FILE 7 below', below: true })).total).toBe(0)
  })

  it('take wildcards, signs and long texts as letters', async () => {
    for (const search of ['%', '_ile', '\\', "' or 1=1 --", 'x'.repeat(200)]) {
      expect((await all({ search, below: true }, null)).total).toBe(0)
    }
    const { data } = await server.call('files/list', { folderId, search: 'x'.repeat(10_000) }, me)
    expect(data.error).toBe('invalid')
    // Unlisted columns and values are no sorts.
    const sort = 'password' as Sort
    expect((await server.call('files/list', { folderId, sort }, me)).data.error).toBe('invalid')
  })
})

describe('somebody else’s folder', () => {
  it('says where it is, what one may do, and nothing of the other folders around', async () => {
    const [owner, viewer] = [await server.signUp({ vipLevel: 4, nickName: 'Owner' }), await server.signUp()]
    await upload(server, owner, { files: [{ path: 'private/shared/inner/1.txt', bytes: Buffer.from('1') }] })
    const shared = await idAt(server, owner, 'private/shared')
    const inner = await idAt(server, owner, 'private/shared/inner')
    expect((await server.call('files/list', { folderId: shared }, viewer)).data.error).toBe('missing')
    await server.call('files/share', { id: shared, account: viewer.account, permission: 'view' }, owner)
    const { data } = await server.call('files/list', { folderId: inner }, viewer)
    expect(data).toMatchObject({
      folder: { id: inner, name: 'inner' },
      access: 'view',
      place: { kind: 'shared', groupId: null, owner: 'Owner' },
      total: 1,
    })
    expect(data.path.map(({ name }) => name)).toEqual(['shared', 'inner'])
    const top = await server.call('files/list', { folderId: null, below: true }, viewer)
    expect(top.data.total).toBe(0)
    const properties = await server.call('files/properties', { id: shared }, viewer)
    expect(properties.data).toMatchObject({ access: 'view', path: [], folderCount: 1, datasets: [] })
    expect(properties.data.entry).toMatchObject({ name: 'shared', fileCount: 1, shared: false })
  })
})
