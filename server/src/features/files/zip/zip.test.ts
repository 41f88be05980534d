import { randomBytes } from 'node:crypto'
import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idAt } from '../../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeFolder } from '../../../../test/sharing.ts'
import { unzip } from '../../../../test/unzip.ts'
import { upload } from '../../../../test/uploads.ts'
import { sweepZips } from './zip.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const put = (session: Session, paths: string[], parentId: string | null = null) =>
  upload(server, session, { parentId, files: paths.map((path) => ({ path, bytes: Buffer.from(path) })) })
const at = (session: Session, path: string) => idAt(server, session, path)
const ask = async (session: Session, ...ids: string[]) =>
  (await server.call('files/download', { ids }, session)).data
const fetchZip = async (url: string) =>
  unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))

describe('a download', () => {
  it('of one file is that file', async () => {
    const me = await server.signUp()
    await put(me, ['a/Снимок.txt'])
    const answer = await ask(me, await at(me, 'a/Снимок.txt'))
    expect(answer).toMatchObject({ name: 'Снимок.txt', isZip: false, sizeBytes: 18 })
    const response = await fetch(server.url + answer.url)
    expect(response.headers.get('content-disposition')).toContain('attachment')
    expect(await response.text()).toBe('a/Снимок.txt')
  })

  it('of a folder is a zip with its structure, empty folders too, and nothing that was removed', async () => {
    const me = await server.signUp()
    await put(me, ['set/1.txt', 'set/肺部/2.txt', 'set/gone.txt'])
    const set = await at(me, 'set')
    await makeFolder(server, me, 'empty', set)
    await server.call('files/remove', { ids: [await at(me, 'set/gone.txt')] }, me)
    const answer = await ask(me, set)
    expect(answer).toMatchObject({ name: 'set.zip', isZip: true })
    const found = await fetchZip(answer.url)
    expect([...found.keys()].sort()).toEqual(['set/1.txt', 'set/empty/', 'set/肺部/2.txt'])
    expect(found.get('set/肺部/2.txt')?.bytes.toString()).toBe('set/肺部/2.txt')
  })

  it('of several has each under a name of its own that every system can store', async () => {
    const me = await server.signUp({ vipLevel: 4 })
    await put(me, ['a/x.txt', 'b/x.txt', 'c/X.txt', 'c/con: "1"?.txt', 'c/..hidden'])
    const ids = []
    for (const path of ['a/x.txt', 'b/x.txt', 'c/X.txt', 'c/con: "1"?.txt', 'c/..hidden'])
      ids.push(await at(me, path))
    const answer = await ask(me, ...ids)
    expect(answer.name).toBe('neuroloom.zip')
    const names = [...(await fetchZip(answer.url)).keys()]
    expect(names).toHaveLength(5)
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5)
    for (const name of names) expect(name).toMatch(/^[^.\\/:*?"<>|][^\\/:*?"<>|]*$/)
  })

  it('makes text smaller and leaves what is packed already as it is', async () => {
    const me = await server.signUp()
    const [text, noise] = [Buffer.alloc(200_000, 'text '), randomBytes(100_000)]
    const files = [
      { path: 'set/long.txt', bytes: text },
      { path: 'set/noise.png', bytes: noise },
    ]
    await upload(server, me, { files })
    const { url } = await ask(me, await at(me, 'set'))
    const archive = Buffer.from(await (await fetch(server.url + url)).arrayBuffer())
    expect(archive.length).toBeLessThan(110_000)
    expect(archive.includes(noise)).toBe(true)
    expect((await unzip(archive)).get('set/long.txt')?.bytes.equals(text)).toBe(true)
  })

  it('holds many pages of one folder, in the order of names', async () => {
    const me = await server.signUp()
    await put(me, ['set/x'])
    const set = await at(me, 'set')
    await server.ctx.pool.query(
      `insert into files (id, owner_id, parent_id, kind, name, search_name, sort_name, sha256, size_bytes, file_count, modified_at)
       select 'n' || n || substr(f.id, 1, 8), owner_id, parent_id, 'file', 'n' || n, 'n' || n, 'n' || lpad(n::text, 8, '0'),
         sha256, size_bytes, 1, now()
       from files f, generate_series(1, 1203) n where parent_id = $1`,
      [set],
    )
    const names = [...(await fetchZip((await ask(me, set)).url)).keys()]
    expect(names).toEqual([...Array.from({ length: 1203 }, (_, n) => `set/n${n + 1}`), 'set/x'])
  })
})

describe('is refused', () => {
  it('for what is not there or not to be seen, whole', async () => {
    const [me, stranger] = [await server.signUp(), await server.signUp()]
    await put(me, ['a/1.txt'])
    await put(stranger, ['s/2.txt'])
    const [mine, theirs] = [await at(me, 'a/1.txt'), await at(stranger, 's/2.txt')]
    const { data } = await server.call('files/download', { ids: [mine, theirs] }, me)
    expect(data.error).toBe('missing')
    expect((await server.call('files/download', { ids: [mine] })).data.error).toBe('not_signed_in')
  })

  it('once the right has gone between asking and fetching', async () => {
    const [owner, viewer] = [await server.signUp({ vipLevel: 4 }), await server.signUp()]
    await put(owner, ['set/1.txt'])
    const id = await at(owner, 'set')
    const share = { id, account: viewer.account, permission: 'view' } as const
    const { data } = await server.call('files/share', share, owner)
    const { url } = await ask(viewer, id)
    expect((await fetch(server.url + url)).status).toBe(200)
    await server.call('files/unshare', { shareIds: [data.id] }, owner)
    // The server's own envelope.
    const refused = (await (await fetch(server.url + url)).json()) as { data: { error: string } }
    expect(refused.data.error).toBe('missing')
  })

  it('with an altered address, an old one, and one of somebody else’s session', async () => {
    const me = await server.signUp()
    await put(me, ['set/1.txt'])
    const { url } = await ask(me, await at(me, 'set'))
    expect((await fetch(server.url + url.replace('zip?id=', 'zip?id=x'))).status).toBe(403)
    server.forward(limits.linkMs + 1000)
    expect((await fetch(server.url + url)).status).toBe(403)
    await sweepZips(server.ctx)
    const { rows } = await server.ctx.pool.query('select 1 from zips where user_id = $1', [me.userId])
    expect(rows).toEqual([])
  })
})
