import { sharing as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeFolder, put } from '../../../../test/sharing.ts'
import { unzip } from '../../../../test/unzip.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { drawCell } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { checkNew } from '../check.ts'
import { sweepSharing } from '../sharing/sweep.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const silver = (nickName = 'Test member') => server.signUp({ vipLevel: 3, nickName })
const link = async (owner: Session, id: string, password: string | null = null, days = 7) =>
  (await server.call('files/createLink', { id, days, password }, owner)).data
const visit = (token: string, password = '') => server.call('files/visitLink', { token, password })
const passOf = async (token: string, password = ''): Promise<string> =>
  (await visit(token, password)).data.pass ?? ''

/** A folder with a file and a folder in it, and one beside it that nobody else may see. */
async function cloud(owner: Session) {
  const top = await makeFolder(server, owner, 'top')
  const shown = await makeFolder(server, owner, 'shown', top)
  const inner = await makeFolder(server, owner, 'inner', shown)
  const bytes = Buffer.from('seen by visitors')
  return {
    top,
    shown,
    inner,
    deep: await put(server, owner, { parentId: inner, name: 'deep.txt', bytes }),
    beside: await put(server, owner, { parentId: top, name: 'beside.txt', bytes }),
  }
}

describe('a share link', () => {
  it('shows what it is for, and what lies in that, without signing in', async () => {
    const owner = await silver('Dr Owner')
    const { shown, inner, deep } = await cloud(owner)
    const { token } = await link(owner, shown)
    expect(Buffer.from(token, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
    const { data } = await visit(token)
    expect(data).toMatchObject({
      needsPassword: false,
      owner: 'Dr Owner',
      entry: { id: shown, fileCount: 1 },
    })
    const pass = data.pass ?? ''
    const first = (await server.call('files/listLinked', { pass, folderId: null })).data
    expect(first).toMatchObject({ path: [{ id: shown }], entries: [{ id: inner }], total: 1, next: null })
    const second = (await server.call('files/listLinked', { pass, folderId: inner })).data
    expect(second).toMatchObject({ path: [{ id: shown }, { id: inner }], entries: [{ id: deep }] })
    const { url, name } = (await server.call('files/openLinked', { pass, id: deep })).data
    expect(name).toBe('deep.txt')
    expect(await (await fetch(server.url + url)).text()).toBe('seen by visitors')
  })

  it('shows nothing above or beside that', async () => {
    const owner = await silver()
    const { top, shown, beside } = await cloud(owner)
    const stranger = await silver()
    const foreign = await put(server, stranger, { parentId: null, name: 'x.txt', bytes: Buffer.from('x') })
    const pass = await passOf((await link(owner, shown)).token)
    for (const folderId of [top, beside]) {
      expect((await server.call('files/listLinked', { pass, folderId })).data.error).toBe('missing')
    }
    for (const id of [beside, foreign, top, 'nothing']) {
      expect((await server.call('files/openLinked', { pass, id })).data.error).toBe('missing')
    }
    const after = await server.call('files/listLinked', { pass, folderId: null, after: beside })
    expect(after.data.error).toBe('missing')
  })

  it('keeps its secret to itself: it is told once and stored as a digest', async () => {
    const owner = await silver()
    const { shown } = await cloud(owner)
    const { token } = await link(owner, shown, 'pass word')
    const shares = await server.call('files/shares', { id: shown }, owner)
    expect(shares.data.links).toMatchObject([{ hasPassword: true, opened: 0, lastOpenedAt: null }])
    expect(JSON.stringify(shares.data)).not.toContain(token)
    const { rows } = await server.ctx.pool.query('select * from file_links where entry_id = $1', [shown])
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain('pass word')
  })

  it('asks for its password, and counts visits', async () => {
    const owner = await silver()
    const { shown } = await cloud(owner)
    const { token } = await link(owner, shown, 'pass word')
    expect((await visit(token)).data).toMatchObject({ pass: null, needsPassword: true, entry: null })
    expect((await visit(token, 'pass')).data.error).toBe('access_password_wrong')
    expect((await visit(token, 'pass word')).data).toMatchObject({
      needsPassword: false,
      entry: { id: shown },
    })
    expect((await visit(token, 'pass word')).code).toBe(10200)
    const [shownLink] = (await server.call('files/shares', { id: shown }, owner)).data.links
    expect(shownLink?.opened).toBe(2)
    expect(shownLink?.lastOpenedAt).not.toBeNull()
    const { rows } = await server.ctx.pool.query(
      `select actor_id, owner_id from file_records where entry_id = $1 and action = 'openLink'`,
      [shown],
    )
    expect(rows).toEqual([{ actor_id: null, owner_id: owner.userId }])
  })

  it('is over when it is revoked, too old or its entry removed, with all that it gave out', async () => {
    const ends: ((owner: Session, at: { shown: string; linkId: string }) => Promise<unknown>)[] = [
      (owner, { linkId }) => server.call('files/revokeLink', { linkId }, owner),
      (owner, { shown }) => server.call('files/remove', { ids: [shown] }, owner),
    ]
    for (const end of ends) {
      const owner = await silver()
      const { shown, deep } = await cloud(owner)
      const made = await link(owner, shown)
      const pass = await passOf(made.token)
      const { url } = (await server.call('files/openLinked', { pass, id: deep })).data
      expect((await fetch(server.url + url)).status).toBe(200)
      await end(owner, { shown, linkId: made.link.id })
      expect((await visit(made.token)).data.error).toBe('link_gone')
      expect((await server.call('files/listLinked', { pass, folderId: null })).data.error).toBe('link_gone')
      expect((await server.call('files/openLinked', { pass, id: deep })).data.error).toBe('link_gone')
      const bytes = await fetch(server.url + url)
      expect(bytes.status).toBe(410)
      expect(await bytes.json()).toMatchObject({ data: { error: 'link_gone' } })
    }
  })

  it('ends with the account of its owner', async () => {
    const owner = await silver()
    const { shown } = await cloud(owner)
    const { token } = await link(owner, shown)
    await server.ctx.pool.query('update users set cancelled_at = now() where id = $1', [owner.userId])
    expect((await visit(token)).data.error).toBe('link_gone')
  })

  it('is revoked by its owner alone', async () => {
    const [owner, stranger] = [await silver(), await silver()]
    const { shown } = await cloud(owner)
    const made = await link(owner, shown)
    const refused = await server.call('files/revokeLink', { linkId: made.link.id }, stranger)
    expect(refused.data.error).toBe('missing')
    expect((await visit(made.token)).code).toBe(10200)
  })

  it('takes no altered pass', async () => {
    const owner = await silver()
    const { shown } = await cloud(owner)
    const first = await passOf((await link(owner, shown)).token)
    const second = await passOf((await link(owner, shown)).token)
    const [id, until, seal] = first.split('.')
    const forged = [
      `${second.split('.')[0]}.${until}.${seal}`,
      `${id}.${Number(until) + 1}.${seal}`,
      `${id}.${until}`,
      `${first}.x`,
      '',
    ]
    for (const pass of forged) {
      expect((await server.call('files/listLinked', { pass, folderId: null })).data.error).toBe('link_gone')
    }
  })

  it('gives a folder as a zip, without what is in the recycle station', async () => {
    const owner = await silver()
    const { shown, inner } = await cloud(owner)
    const gone = await put(server, owner, { parentId: inner, name: 'gone.txt', bytes: Buffer.from('x') })
    await server.call('files/remove', { ids: [gone] }, owner)
    const pass = await passOf((await link(owner, shown)).token)
    const { url, name } = (await server.call('files/openLinked', { pass, id: shown })).data
    expect(name).toBe('shown.zip')
    const zip = await unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
    expect([...zip].map(([path, { bytes }]) => [path, bytes.toString()])).toEqual([
      ['shown/inner/deep.txt', 'seen by visitors'],
    ])
  })

  it('shows small pictures that end with it', async () => {
    const owner = await silver()
    const { shown } = await cloud(owner)
    await put(server, owner, { parentId: shown, name: 'cell.png', bytes: encodePng(drawCell('round', 3)) })
    await checkNew(makeWorker(server), owner.userId)
    const made = await link(owner, shown)
    const pass = await passOf(made.token)
    const { entries } = (await server.call('files/listLinked', { pass, folderId: null })).data
    const url = server.url + entries.find(({ name }) => name === 'cell.png')?.thumbnail
    expect((await fetch(url)).headers.get('content-type')).toBe('image/webp')
    await server.call('files/revokeLink', { linkId: made.link.id }, owner)
    expect(await (await fetch(url)).json()).toMatchObject({ data: { error: 'link_gone' } })
  })

  it('shows long folders page by page', async () => {
    const owner = await silver()
    const id = await makeFolder(server, owner, 'long')
    await server.ctx.pool.query(
      `insert into files (id, owner_id, parent_id, kind, name, search_name, sort_name, modified_at)
       select 'long' || n, $1, $2, 'folder', 'f' || n, 'f' || n, 'f' || lpad(n::text, 8, '0'), now()
       from generate_series(1, 250) n`,
      [owner.userId, id],
    )
    const pass = await passOf((await link(owner, id)).token)
    const names: string[] = []
    let after: string | null = null
    do {
      const { data }: Awaited<ReturnType<typeof page>> = await page(pass, after)
      names.push(...data.entries.map(({ name }) => name))
      after = data.next
    } while (after !== null)
    expect(names).toEqual(Array.from({ length: 250 }, (_, index) => `f${index + 1}`))
  })
  const page = (pass: string, after: string | null) =>
    server.call('files/listLinked', { pass, folderId: null, after })
})

describe('links of one thing', () => {
  it('are limited in number, also when many are made at once', async () => {
    const owner = await silver()
    const id = await makeFolder(server, owner, 'top')
    const made = await Promise.all(
      Array.from({ length: limits.linksPerEntry + 5 }, () =>
        server.call('files/createLink', { id, days: 1 }, owner),
      ),
    )
    expect(made.filter(({ code }) => code === 10200)).toHaveLength(limits.linksPerEntry)
    expect(made.filter(({ data }) => data.error === 'link_limit')).toHaveLength(5)
  })
})

// Last: tries of this address count for a while, and the clock goes on for everybody.
describe('guessing', () => {
  const visitFrom = async (address: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${proxied.url}/AI/api/files/visitLink`, init)
    return (await response.json()) as { code: number; data: { error?: string } }
  }
  const wrongTimes = async (
    times: number,
    visitor: (index: number) => Promise<{ data: { error?: string } }>,
  ) => {
    const tries = await Promise.all(Array.from({ length: times }, (_, index) => visitor(index)))
    return tries.filter(({ data }) => data.error === 'access_password_wrong').length
  }
  let proxied: TestServer
  beforeAll(async () => {
    proxied = await makeServer({ trustProxy: ['127.0.0.1'] })
  })
  afterAll(() => proxied.close())

  const protectedLink = async (at: TestServer) => {
    const owner = await at.signUp({ vipLevel: 3 })
    const id = await makeFolder(at, owner, 'shown')
    return (await at.call('files/createLink', { id, days: 7, password: 'pass word' }, owner)).data
  }

  it('a link’s password is slowed for who guesses and never closed, there or for anybody else', async () => {
    const { token } = await protectedLink(proxied)
    const [bad, good] = ['203.0.113.9', '198.51.100.7']
    const wrong = { token, password: 'wrong' }
    const right = { token, password: 'pass word' }
    expect(await wrongTimes(limits.linkTries + 5, () => visitFrom(bad, wrong))).toBe(limits.linkTries)
    expect((await visitFrom(bad, right)).data.error).toBe('drag_required')
    expect((await visitFrom(good, right)).code).toBe(10200)
    // A colleague behind the same address.
    const proof = () => drag(proxied, 'link', '', bad)
    expect((await visitFrom(bad, { ...right, proof: await proof() })).code).toBe(10200)

    expect((await visitFrom(bad, { ...wrong, proof: await proof() })).data.error).toBe(
      'access_password_wrong',
    )
    expect((await visitFrom(bad, { ...wrong, proof: await proof() })).data).toMatchObject({
      error: 'tries_wait',
      params: { minutes: 1 },
    })
    const used = await proof()
    proxied.forward(limits.linkProvenMs)
    expect((await visitFrom(bad, { ...right, proof: used })).code).toBe(10200)
    expect((await visitFrom(bad, { ...right, proof: used })).data.error).toBe('drag_required')
    proxied.forward(limits.linkTriesMs)
    expect((await visitFrom(bad, right)).code).toBe(10200)
  })

  it('a link’s password from many addresses needs the slider everywhere, and opens with it', async () => {
    const { token } = await protectedLink(proxied)
    const wrong = await wrongTimes(limits.linkTriesInAll + 5, (index) =>
      visitFrom(`203.0.113.${index}`, { token, password: 'wrong' }),
    )
    expect(wrong).toBe(limits.linkTriesInAll)
    const right = { token, password: 'pass word' }
    expect((await visitFrom('198.51.100.7', right)).data.error).toBe('drag_required')
    const proof = await drag(proxied, 'link', '', '198.51.100.7')
    expect((await visitFrom('198.51.100.7', { ...right, proof })).code).toBe(10200)
  })

  it('links is slowed for the address', async () => {
    server.forward(limits.linkTriesMs)
    const tries = await Promise.all(
      Array.from({ length: limits.linkTriesPerAddress + 10 }, (_, index) =>
        visit(String(index).padStart(32, 'A')),
      ),
    )
    expect(tries.filter(({ data }) => data.error === 'link_gone')).toHaveLength(limits.linkTriesPerAddress)
    expect(tries.filter(({ data }) => data.error === 'tries_wait')).toHaveLength(10)
    const owner = await silver()
    const { shown } = await cloud(owner)
    expect((await visit((await link(owner, shown)).token)).code).toBe(10200)
  })

  it('a visit ends after its time, a link with its day; then it is swept', async () => {
    server.forward(limits.linkTriesMs)
    const owner = await silver()
    const { shown } = await cloud(owner)
    const { token } = await link(owner, shown, null, 1)
    const pass = await passOf(token)
    server.forward(limits.linkVisitMs)
    expect((await server.call('files/listLinked', { pass, folderId: null })).data.error).toBe('link_gone')
    expect((await visit(token)).code).toBe(10200)
    server.forward(24 * 60 * 60 * 1000)
    expect((await visit(token)).data.error).toBe('link_gone')
    await sweepSharing(server.ctx)
    const count = async (table: string) => (await server.ctx.pool.query(`select 1 from ${table}`)).rowCount
    expect(
      await server.ctx.pool.query('select 1 from file_links where entry_id = $1', [shown]),
    ).toMatchObject({
      rowCount: 0,
    })
    expect(await count('file_tries')).toBe(1)
  })
})
