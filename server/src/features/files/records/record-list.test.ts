import { recordActions } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idAt } from '../../../../test/cloud.ts'
import { headersOf, makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeFolder } from '../../../../test/sharing.ts'
import { upload } from '../../../../test/uploads.ts'
import { forgetRecords } from './record-list.ts'
import { record } from './records.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const put = (session: Session, paths: string[]) =>
  upload(server, session, { files: paths.map((path) => ({ path, bytes: Buffer.from(path) })) })
const at = (session: Session, path: string) => idAt(server, session, path)
const recordsOf = async (session: Session, query: object = {}) =>
  (await server.call('files/records', query, session)).data.records
const make = (session: Session, names: string[]) =>
  record(
    server.ctx,
    server.ctx.db,
    names.map((name) => ({
      action: 'rename' as const,
      actorId: session.userId,
      entry: { id: 'none', ownerId: session.userId, name },
      detail: { from: 'before', to: name },
    })),
  )

describe('records', () => {
  it('tell every deed, who did it, with which names, last first', async () => {
    const me = await server.signUp({ nickName: 'Me', vipLevel: 4 })
    await put(me, ['a/1.txt', 'b/2.txt'])
    const [a, b, one] = [await at(me, 'a'), await at(me, 'b'), await at(me, 'a/1.txt')]
    await server.call('files/rename', { id: one, name: 'uno.txt' }, me)
    await server.call('files/move', { ids: [one], targetId: b, sameName: 'ask' }, me)
    await server.call('files/copy', { ids: [one], targetId: a, sameName: 'ask' }, me)
    await server.call('files/download', { ids: [one] }, me)
    await server.call('files/open', { id: one, download: true }, me)
    await server.call('files/open', { id: one }, me)
    await server.call('files/remove', { ids: [one] }, me)
    await server.call('files/restore', { ids: [one] }, me)
    await server.call('files/remove', { ids: [b] }, me)
    await server.call('files/purge', { ids: [b] }, me)
    await makeFolder(server, me, 'c')
    const records = (await recordsOf(me)).filter(({ action }) => action !== 'upload')
    expect(records.map(({ action, actor, name, detail }) => [action, actor, name, detail])).toEqual([
      ['createFolder', 'Me', 'c', {}],
      ['purge', 'Me', 'b', { count: 2 }],
      ['remove', 'Me', 'b', { count: 2 }],
      ['restore', 'Me', 'uno.txt', {}],
      ['remove', 'Me', 'uno.txt', {}],
      ['download', 'Me', 'uno.txt', {}],
      ['download', 'Me', 'uno.txt', {}],
      ['copy', 'Me', 'uno.txt', { from: 'b', to: 'a' }],
      ['move', 'Me', 'uno.txt', { from: 'a', to: 'b' }],
      ['rename', 'Me', '1.txt', { from: '1.txt', to: 'uno.txt' }],
    ])
    // What is gone cannot be opened from here.
    expect(records.find(({ action }) => action === 'move')?.entryId).toBeNull()
    expect(records.find(({ action }) => action === 'copy')?.entryId).toBe(await at(me, 'a/uno.txt'))
  })

  it('name the folder that a file was uploaded to, none at the top', async () => {
    const me = await server.signUp()
    await put(me, ['set/sick/1.txt', 'set/well/2.txt', '3.txt'])
    await put(me, ['set/sick/1.txt'])
    const told = (await recordsOf(me)).map(({ action, name, detail }) => [action, name, detail])
    expect(told).toHaveLength(4)
    expect(told).toEqual(
      expect.arrayContaining([
        ['upload', '1.txt', { to: 'sick' }],
        ['upload', '2.txt', { to: 'well' }],
        ['upload', '3.txt', {}],
        ['replace', '1.txt', { to: 'sick' }],
      ]),
    )
  })

  it('show an owner what others did, and them their own deeds alone', async () => {
    const owner = await server.signUp({ nickName: 'Owner', vipLevel: 4 })
    const [editor, viewer] = [
      await server.signUp({ nickName: 'Editor' }),
      await server.signUp({ nickName: 'Viewer' }),
    ]
    await put(owner, ['set/1.txt'])
    const set = await at(owner, 'set')
    for (const [who, permission] of [
      [editor, 'edit'],
      [viewer, 'view'],
    ] as const) {
      await server.call('files/share', { id: set, account: who.account, permission }, owner)
    }
    await makeFolder(server, editor, 'by editor', set)
    await server.call('files/copy', { ids: [set], targetId: null, sameName: 'ask' }, viewer)
    const told = async (session: Session) =>
      (await recordsOf(session, { actions: ['createFolder', 'copy'] })).map(
        ({ action, actor }) => `${action} ${actor}`,
      )
    expect(await told(owner)).toEqual(['copy Viewer', 'createFolder Editor'])
    expect(await told(editor)).toEqual(['createFolder Editor'])
    expect(await told(viewer)).toEqual(['copy Viewer', 'copy Viewer'])
    expect(await told(await server.signUp())).toEqual([])
    // Where to somebody took a copy is not the owner's to know.
    const [copied] = await recordsOf(owner, { actions: ['copy'] })
    expect(copied?.detail).toEqual({ from: '', count: 1 })
  })

  it('are narrowed by text, action, time and folder', async () => {
    const me = await server.signUp()
    await put(me, ['set/inner/1.txt', 'other/2.txt'])
    const [set, one, two] = [
      await at(me, 'set'),
      await at(me, 'set/inner/1.txt'),
      await at(me, 'other/2.txt'),
    ]
    await server.call('files/rename', { id: one, name: '100% Один.txt' }, me)
    await server.call('files/rename', { id: one, name: 'x.txt' }, me)
    await server.call('files/download', { ids: [two] }, me)
    const start = server.ctx.now().toISOString()
    server.forward(60_000)
    await server.call('files/download', { ids: [one] }, me)
    const names = async (query: object) =>
      (await recordsOf(me, query)).filter(({ action }) => action !== 'upload').map(({ name }) => name)
    expect(await names({ search: '100% оДИ' })).toEqual(['100% Один.txt'])
    expect(await names({ actions: ['download'] })).toEqual(['x.txt', '2.txt'])
    expect(await names({ actions: ['download'], from: start })).toEqual(['x.txt'])
    expect(await names({ actions: ['download'], to: start })).toEqual(['2.txt'])
    expect(await names({ entryId: set })).toEqual(['x.txt', '100% Один.txt', '1.txt'])
    const stranger = await server.signUp()
    expect((await server.call('files/records', { entryId: set }, stranger)).data.error).toBe('missing')
  })

  it('go on page after page', async () => {
    const me = await server.signUp()
    await make(
      me,
      Array.from({ length: limits.recordPage + 10 }, (_, n) => `r${n}`),
    )
    const first = (await server.call('files/records', {}, me)).data
    const second = (await server.call('files/records', { after: first.next }, me)).data
    expect([first.records.length, second.records.length, second.next]).toEqual([limits.recordPage, 10, null])
    expect(second.records.at(-1)?.name).toBe('r0')
  })

  it('are forgotten after their time, not before', async () => {
    const me = await server.signUp()
    await make(me, ['old'])
    server.forward(limits.recordsKeptMs - 60_000)
    await make(me, ['new'])
    await forgetRecords(server.ctx)
    const count = async () => {
      const { rows } = await server.ctx.pool.query(
        'select name from file_records where owner_id = $1 order by id',
        [me.userId],
      )
      return rows.map(({ name }) => name)
    }
    expect(await count()).toEqual(['old', 'new'])
    server.forward(61_000)
    await forgetRecords(server.ctx)
    expect(await count()).toEqual(['new'])
  })
})

describe('the table', () => {
  const table = async (session: Session, language: string, query: object = {}): Promise<string> => {
    const reply = await fetch(`${server.url}/AI/api/files/exportRecords`, {
      method: 'POST',
      headers: { ...headersOf(session), 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify(query),
    })
    // The server's own envelope.
    const { data } = (await reply.json()) as { data: { url: string } }
    const response = await fetch(server.url + data.url)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toContain('attachment')
    return Buffer.from(await response.arrayBuffer()).toString()
  }

  it('is UTF-8 with its mark, in the member’s language, with every action named', async () => {
    const me = await server.signUp({ nickName: '李医生' })
    const entry = { id: 'none', ownerId: me.userId, name: 'скан, "1".dcm' }
    await record(
      server.ctx,
      server.ctx.db,
      recordActions.map((action) => ({
        action,
        actorId: me.userId,
        entry,
        detail: { with: 'link', days: 7 },
      })),
    )
    const heads = { en: 'Time (UTC)', zh: '时间（UTC）', ru: 'Время (UTC)' }
    for (const [language, head] of Object.entries(heads)) {
      const text = await table(me, language)
      expect(text.startsWith(`\uFEFF${head},`)).toBe(true)
      const lines = text.trimEnd().split('\r\n')
      expect(lines).toHaveLength(recordActions.length + 1)
      for (const line of lines.slice(1)) expect(line).toContain(',李医生,')
      expect(text).toContain('"скан, ""1"".dcm"')
      expect(text).not.toContain('undefined')
    }
  })

  it('tells a folder that was made public from one that was made private again', async () => {
    const me = await server.signUp()
    const entry = { id: 'none', ownerId: me.userId, name: 'atlas' }
    const deed = (isPublic: number) =>
      ({ action: 'publish', actorId: me.userId, entry, detail: { public: isPublic } }) as const
    await record(server.ctx, server.ctx.db, [deed(1), deed(0)])
    const said = (await table(me, 'en'))
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2])
    expect(said.sort()).toEqual(['Closed to other members', 'Opened to all members'])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '=cmd|"/c calc"!A1'])(
    'keeps %j from being a formula',
    async (name) => {
      const me = await server.signUp({ nickName: '=2+2' })
      await make(me, [name])
      const [, line = ''] = (await table(me, 'en')).split('\r\n')
      const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
        cell.replace(/^"|"$/g, '').replaceAll('""', '"'),
      )
      expect(cells[1]).toBe("'=2+2")
      expect(cells[3]).toBe(`'${name}`)
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t]/)
    },
  )

  it('holds more than one reading of the database, and what was asked for alone', async () => {
    const me = await server.signUp()
    await make(
      me,
      Array.from({ length: 2300 }, (_, n) => `r${n}`),
    )
    const lines = (await table(me, 'en')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2301)
    expect(new Set(lines).size).toBe(2301)
    expect((await table(me, 'en', { search: 'r2299' })).trimEnd().split('\r\n')).toHaveLength(2)
  })

  it('is refused once its address is old or the session has ended', async () => {
    const me = await server.signUp()
    const { data } = await server.call('files/exportRecords', {}, me)
    expect((await fetch(`${server.url}${data.url}x`)).status).toBe(403)
    server.forward(limits.linkMs + 1000)
    expect((await fetch(server.url + data.url)).status).toBe(403)
  })
})
