import type { Body } from '@neuroloom/contract/calls'
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import { LIVE_PATH } from '@neuroloom/contract/live'
import { eq } from 'drizzle-orm'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'
import { networks, networkVersions } from './tables.ts'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp()
  stranger = await server.signUp()
})
afterAll(() => server.close())

const layout = { v: 1 as const, pos: { stem: [10, 20] as [number, number] }, open: ['stem'] }
const create = async (body: { name?: string; text?: string } = {}, who = owner) =>
  (await server.call('networks/create', { name: 'Mine', text: makeText(), ...body }, who)).data
const save = (id: string, revision: number, text: string, who = owner) =>
  server.call('networks/save', { id, revision, text, layout }, who)

const lookAt = (text: string): Body<'networks/look'> => ({
  ...{ text, nodes: ['stem'], runId: null },
  image: { from: 'sample' },
})

describe('every call', () => {
  it.each([
    ['networks/mine', {}],
    ['networks/create', { name: 'a', text: '' }],
    ['networks/open', { id: 'n' }],
    ['networks/save', { id: 'n', revision: 1, text: '', layout }],
    ['networks/rename', { id: 'n', name: 'a' }],
    ['networks/copy', { id: 'n', name: 'a' }],
    ['networks/remove', { id: 'n' }],
    ['networks/versions', { id: 'n' }],
    ['networks/keep', { id: 'n', note: '' }],
    ['networks/version', { id: 'n', number: 1 }],
    ['networks/picture', { id: 'n' }],
    ['networks/look', lookAt('')],
  ] as const)('%s refuses who is not signed in', async (path, body) => {
    expect((await server.call(path, body)).data.error).toBe('not_signed_in')
  })

  it('answers about another member’s network as about none', async () => {
    const { id } = await create()
    await server.call('networks/keep', { id, note: '' }, owner)
    const replies = await Promise.all([
      server.call('networks/open', { id }, stranger),
      save(id, 1, makeText(), stranger),
      server.call('networks/rename', { id, name: 'Theirs' }, stranger),
      server.call('networks/copy', { id, name: 'Theirs' }, stranger),
      server.call('networks/remove', { id }, stranger),
      server.call('networks/versions', { id }, stranger),
      server.call('networks/keep', { id, note: '' }, stranger),
      server.call('networks/version', { id, number: 1 }, stranger),
      server.call('networks/picture', { id }, stranger),
    ])
    expect(new Set(replies.map(({ data }) => data.error))).toEqual(new Set(['network_missing']))
    expect((await server.call('networks/mine', {}, stranger)).data.networks).toEqual([])
    expect((await server.call('networks/open', { id }, owner)).data.name).toBe('Mine')
  })
})

describe('saving', () => {
  it('keeps text and places, counts what the network costs, and lists the newest first', async () => {
    const made = await create({ name: ' 我的网络 ', text: makeText({ width: 8 }) })
    expect(made).toMatchObject({
      name: '我的网络',
      task: 'classification',
      revision: 1,
      version: 0,
      mistakes: 0,
    })
    // 3·3·1·8+8 of the convolution and 8·2+2 of the decision.
    expect(made.parameters).toBe(98)
    expect(made.layout).toEqual({ v: 1, pos: {}, open: [] })

    const text = `# my note\n${makeText({ width: 16 })}`
    const { data: saved } = await save(made.id, 1, text)
    expect(saved).toMatchObject({ revision: 2, parameters: 194 })
    const { data: opened } = await server.call('networks/open', { id: made.id }, owner)
    expect(opened).toMatchObject({ ...saved, text, layout })
    const { data: mine } = await server.call('networks/mine', {}, owner)
    expect(mine).toMatchObject({ most: limits.networks, networks: [{ id: made.id }, {}] })
  })

  it('keeps work in progress with its mistakes, and counts them', async () => {
    const { id, ...made } = await create({ text: makeText({ from: 'nowhere' }) })
    expect(made).toMatchObject({ mistakes: 1, parameters: null, macs: null })
    const { data: listed } = await server.call('networks/list', { task: 'classification' }, owner)
    expect(listed.own.map((one) => one.id)).not.toContain(id)
    await save(id, 1, makeText())
    const { data: after } = await server.call('networks/list', { task: 'classification' }, owner)
    expect(after.own[0]?.id).toBe(id)
    const { data: other } = await server.call('networks/list', { task: 'segmentation' }, owner)
    expect(other.own).toEqual([])
  })

  it('refuses to save over a newer revision, and says which one there is', async () => {
    const { id } = await create()
    const replies = await Promise.all([
      save(id, 1, makeText({ width: 3 })),
      save(id, 1, makeText({ width: 5 })),
    ])
    expect(replies.map(({ data }) => data.error ?? 'saved').sort()).toEqual(['network_changed', 'saved'])
    const late = await save(id, 1, makeText())
    expect(late.data).toMatchObject({ error: 'network_changed', params: { revision: 2 } })
    expect((await save(id, 2, makeText())).data.revision).toBe(3)
  })

  it('tells the member’s other windows of a save at once', async () => {
    const { id } = await create()
    const { data } = await server.call('user/ticket', {}, owner)
    const socket = io(server.url, {
      path: LIVE_PATH,
      transports: ['websocket'],
      auth: { ticket: data.ticket },
    })
    const heard = new Promise((resolve) => socket.once('event', resolve))
    await socket.emitWithAck('watch', { kind: 'user', id: owner.userId, after: 0 })
    await save(id, 1, makeText())
    expect(await heard).toMatchObject({ type: 'network', data: { id, revision: 2 } })
    socket.disconnect()
  })

  it('renames, copies and deletes', async () => {
    const { id } = await create()
    const { data: renamed } = await server.call('networks/rename', { id, name: 'Other' }, owner)
    expect(renamed).toMatchObject({ name: 'Other', revision: 1 })
    await server.call('networks/keep', { id, note: 'first' }, owner)
    const { data: copy } = await server.call('networks/copy', { id, name: 'Copy' }, owner)
    expect(copy).toMatchObject({ name: 'Copy', revision: 1, version: 0, parameters: renamed.parameters })
    expect((await server.call('networks/remove', { id }, owner)).code).toBe(10200)
    expect((await server.call('networks/open', { id }, owner)).data.error).toBe('network_missing')
    expect((await server.call('networks/remove', { id }, owner)).data.error).toBe('network_missing')
    const { data: opened } = await server.call('networks/open', { id: copy.id }, owner)
    expect(opened.text).toBe(makeText())
  })

  it('keeps as many networks as there may be, and not one more', async () => {
    const member = await server.signUp()
    const { id } = await create({}, member)
    const [row] = await server.ctx.db.select().from(networks).where(eq(networks.id, id))
    if (!row) throw new Error('The network is gone')
    const others = Array.from({ length: limits.networks - 2 }, (_, index) => ({
      ...row,
      id: `${id}${index}`,
    }))
    await server.ctx.db.insert(networks).values(others)
    const copies = await Promise.all(
      [1, 2, 3].map((number) => server.call('networks/copy', { id, name: `Copy ${number}` }, member)),
    )
    expect(copies.map(({ code }) => code).sort()).toEqual([10200, 20505, 20505])
    const { data } = await server.call('networks/create', { name: 'One more', text: makeText() }, member)
    expect(data).toMatchObject({ error: 'network_limit', params: { limit: limits.networks } })
  })
})

describe('bad text', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]',
    'c: [*b, *b, *b]',
  ]

  it.each([
    ['no YAML', 'nodes: [', 'yaml_syntax'],
    ['nothing at all', '', 'wrong_value'],
    ['a tag that would run code', '!!js/function "function () { return 1 }"', 'yaml_tag'],
    ['an alias bomb', bomb.join('\n'), 'yaml_alias'],
    [
      'a hundred thousand brackets',
      `a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      /yaml_(syntax|too_deep)/,
    ],
    ['a character that cannot be stored', `${makeText()}# \0`, 'yaml_syntax'],
    ['the name of an object’s own part', makeText({ name: '__proto__' }), 'bad_id'],
    ['a newer format', makeText().replace('dripe: 1', 'dripe: 9'), 'newer_version'],
  ])('with %s is refused with its reason, whether new or saved over', async (_what, text, reason) => {
    const { id } = await create()
    for (const reply of [
      await server.call('networks/create', { name: 'Bad', text }, owner),
      await save(id, 1, text),
      await server.call('networks/look', lookAt(text), owner),
    ]) {
      expect(reply.data).toMatchObject({
        error: 'network_unreadable',
        params: { reason: expect.stringMatching(reason) },
      })
    }
    expect((await server.call('networks/open', { id }, owner)).data).toMatchObject({ revision: 1 })
  })

  it('takes layers named like parts of an object, because they are only names', async () => {
    const text = makeText({ name: 'constructor' })
    expect(await create({ text })).toMatchObject({ mistakes: 0, text })
  })

  it('counts layers that cannot be as mistakes, and never breaks', async () => {
    const loop = makeText().replace('gap: globalavg', 'gap: {op: globalavg, in: logits}')
    const endless = `${makeText()}blocks: {again: {nodes: {again: {op: again}}}}\n`.replace(
      'op: conv',
      'op: again',
    )
    for (const text of [loop, endless]) expect((await create({ text })).mistakes).toBeGreaterThan(0)
  })

  it('may have a megabyte, and ten are refused by their size', async () => {
    const { id } = await create()
    const text = `${makeText()}# ${'x'.repeat(1024 * 1024)}`.slice(0, 1024 * 1024)
    expect((await save(id, 1, text)).data.revision).toBe(2)
    expect((await save(id, 2, `${text}x`)).data).toMatchObject({
      error: 'invalid',
      fields: { text: 'form.too_big' },
    })
    expect((await save(id, 2, 'x'.repeat(10 * 1024 * 1024))).data.error).toBe('too_large')
    expect((await server.call('networks/rename', { id, name: 'x'.repeat(2 ** 21) }, owner)).status).toBe(413)
  })

  it('has a name that can be read, and places that are places', async () => {
    const bad = async (body: object) => {
      const response = await fetch(`${server.url}/AI/api/networks/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headersOf(owner) },
        body: JSON.stringify({ name: 'Good', text: makeText(), ...body }),
      })
      const answer: { data: { error?: string; fields?: object } } = JSON.parse(await response.text())
      return answer.data.fields ?? answer.data.error
    }
    expect(await bad({ name: '  ' })).toEqual({ name: 'form.required' })
    expect(await bad({ name: 'x'.repeat(limits.nameLength + 1) })).toEqual({ name: 'form.too_big' })
    expect(await bad({ layout: { v: 1, pos: { a: ['x', 1] }, open: [] } })).toHaveProperty('layout.pos.a.0')
    expect(await bad({ text: 7 })).toEqual({ text: 'form.invalid' })
  })
})

describe('versions', () => {
  it('are kept once for each state, with notes, and give back what was there', async () => {
    const { id } = await create()
    const keep = async (note: string) => (await server.call('networks/keep', { id, note }, owner)).data
    expect(await keep('')).toMatchObject({ number: 1, note: '', runs: 0 })
    expect(await keep(' first that works ')).toMatchObject({ number: 1, note: 'first that works' })
    expect(await keep('')).toMatchObject({ number: 1, note: 'first that works' })
    await save(id, 1, makeText({ width: 7 }))
    expect(await keep('wider')).toMatchObject({ number: 2, note: 'wider', parameters: 86 })

    const { data: all } = await server.call('networks/versions', { id }, owner)
    expect(all.versions.map(({ number, note }) => [number, note])).toEqual([
      [2, 'wider'],
      [1, 'first that works'],
    ])
    const { data: first } = await server.call('networks/version', { id, number: 1 }, owner)
    expect(first).toMatchObject({ number: 1, text: makeText(), layout: { v: 1, pos: {}, open: [] } })
    expect((await server.call('networks/version', { id, number: 3 }, owner)).data.error).toBe('missing')
    expect((await server.call('networks/open', { id }, owner)).data.version).toBe(2)
  })

  it('make room by the oldest that nobody wrote a note for, and refuse when all have one', async () => {
    const { id } = await create()
    const [row] = await server.ctx.db.select().from(networks).where(eq(networks.id, id))
    if (!row) throw new Error('The network is gone')
    const full = Array.from({ length: limits.versions }, (_, index) => ({
      ...{ networkId: id, number: index + 1, note: index === 2 ? '' : 'mine', text: `${index}` },
      ...{ layout: row.layout, parameters: null, createdAt: new Date() },
    }))
    await server.ctx.db.insert(networkVersions).values(full)
    await server.ctx.db.update(networks).set({ version: limits.versions }).where(eq(networks.id, id))

    const { data: kept } = await server.call('networks/keep', { id, note: 'new' }, owner)
    expect(kept.number).toBe(limits.versions + 1)
    const { data } = await server.call('networks/versions', { id }, owner)
    expect(data.versions).toHaveLength(limits.versions)
    expect(data.versions.map(({ number }) => number)).not.toContain(3)
    await save(id, 1, makeText({ width: 9 }))
    const refused = await server.call('networks/keep', { id, note: 'more' }, owner)
    expect(refused.data).toMatchObject({ error: 'network_limit', params: { limit: limits.versions } })
  })
})
