import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idAt, pathsIn } from '../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeFolder } from '../../../test/sharing.ts'
import { unzip } from '../../../test/unzip.ts'
import { upload } from '../../../test/uploads.ts'

let server: TestServer
let me: Session
beforeAll(async () => {
  server = await makeServer()
  me = await server.signUp({ vipLevel: 4 })
})
afterAll(() => server.close())

const refused = [
  ...['../../etc/passwd', '..', '.', 'a/b', 'a\\b', '', '   '],
  ...['a\u0000b', 'a\nb', 'a\r\nSet-Cookie: x', 'a\u0007', 'a\u0085'],
  // Shown as `photo exe.png`, with a program behind it.
  ...['photo \u202egnp.exe', 'a\u2066b', 'a\u2028b'],
  ...['half \ud83d of a sign', 'x'.repeat(limits.nameLength + 1)],
]
const stored = [
  ...[
    '-rf',
    '.hidden',
    'CON',
    'aux.txt',
    'a:b*?"<>|.txt',
    "o'; drop table files; --",
    '%00%2e%2e',
    '=1+1.csv',
  ],
  ...['肺部 影像', 'Снимок №1', 'صورة', '🫁👩🏽‍⚕️', 'a\u200db', '<img src=x onerror=alert(1)>.png'],
  // 600 bytes.
  '影'.repeat(limits.nameLength),
]

describe('a name', () => {
  it.each(refused)('is refused: %j', async (name) => {
    const top = await makeFolder(server, me, `for ${refused.indexOf(name)}`)
    const made = await server.call('files/createFolder', { parentId: top, name }, me)
    const renamed = await server.call('files/rename', { id: top, name }, me)
    expect([made.code, renamed.code]).not.toContain(10200)
    expect([made.data.error, renamed.data.error]).not.toContain('internal')
    expect(await pathsIn(server, me, top)).toEqual([])
    await server.call('files/remove', { ids: [top] }, me)
  })

  it.each(stored)('is stored as it is, found by itself, and never a path: %j', async (name) => {
    const top = await makeFolder(server, me, `stored ${stored.indexOf(name)}`)
    await upload(server, me, { parentId: top, files: [{ path: name, bytes: Buffer.from('content') }] })
    const id = await idAt(server, me, name, top)
    const { data } = await server.call('files/list', { folderId: top, search: name }, me)
    expect(data.entries.map((entry) => entry.name)).toEqual([name])
    const one = await server.call('files/open', { id, download: true }, me)
    const response = await fetch(server.url + one.data.url)
    expect(await response.text()).toBe('content')
    expect(response.headers.get('set-cookie')).toBeNull()
    const zip = await server.call('files/download', { ids: [top] }, me)
    const names = [
      ...(await unzip(Buffer.from(await (await fetch(server.url + zip.data.url)).arrayBuffer()))).keys(),
    ]
    expect(names).toHaveLength(1)
    expect(names[0]?.split('/')).toHaveLength(2)
    expect(names[0]).not.toContain('..')
    await server.call('files/remove', { ids: [top] }, me)
  })

  it('in another spelling of the same letters is the same name; a look-alike of other letters is not', async () => {
    const top = await makeFolder(server, me, 'spellings')
    await makeFolder(server, me, 'caf\u00e9', top)
    const twin = await server.call('files/createFolder', { parentId: top, name: 'cafe\u0301' }, me)
    expect(twin.data.error).toBe('name_taken')
    await makeFolder(server, me, 'c\u0430f\u00e9', top)
    await makeFolder(server, me, 'CAF\u00c9', top)
    expect((await pathsIn(server, me, top)).length).toBe(3)
    const found = await server.call('files/list', { folderId: top, search: 'cafe\u0301' }, me)
    expect(found.data.entries.map(({ name }) => name).sort()).toEqual(['CAF\u00c9', 'caf\u00e9'])
  })
})
