import type { Body } from '@neuroloom/contract/calls'
import { dayMs, toolbox as limits } from '@neuroloom/contract/limits'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { OpenSetting } from '@neuroloom/contract/toolbox/own-tools'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { unzip } from '../../../../test/unzip.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { drawField } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import type { WorkerContext } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { users } from '../../accounts/tables.ts'
import { recipeOf } from '../../recipes/service.ts'
import { work } from '../../recipes/work.ts'
import { ownToolShares, ownTools } from './tables.ts'

type Member = Session & { account: string }

let server: TestServer
let worker: WorkerContext
let owner: Member
let friend: Member
let count = 0
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  worker = makeWorker(server)
  owner = await member()
  friend = await member()
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

const member = (vipLevel = 1): Promise<Member> => server.signUp({ password: null, vipLevel })
const steps: Recipe['steps'] = [
  { do: 'size', how: 'stretch', width: 40, height: 40 },
  { do: 'pad', fill: 'black', width: 48, height: 48 },
]
const width: OpenSetting = { step: 0, key: 'width', label: 'How wide', min: 20, max: 60 }
const fill: OpenSetting = { step: 1, key: 'fill', label: '', min: null, max: null }

async function keep(who: Session, recipe: Recipe = { v: 1, steps }, id: string | null = null) {
  count += 1
  const { data } = await server.call('recipes/keep', { id, name: `Recipe ${count}`, recipe }, who)
  return data
}

const make = async (who: Session, more: Partial<Body<'toolbox/makeTool'>> = {}) => {
  count += 1
  return server.call(
    'toolbox/makeTool',
    {
      ...{ of: 'recipe', sourceId: more.sourceId ?? (await keep(who)).id, name: `Tool ${count}` },
      ...{ about: 'Makes images small.', picture: 'sliders', open: [width, fill], ...more },
    },
    who,
  )
}
const made = async (who: Session, more: Partial<Body<'toolbox/makeTool'>> = {}) => {
  const { data, code, message } = await make(who, more)
  if (code !== 10200) throw new Error(message)
  return data
}
const share = (who: Session, body: Body<'toolbox/shareTool'>) => server.call('toolbox/shareTool', body, who)
const seen = async (who: Session, id: string) => (await server.call('toolbox/ownTool', { id }, who)).data

/** The member's folder with one image of 64 pixels a side. */
const folders = new Map<string, Promise<string | null>>()
async function folder(who: Session): Promise<string> {
  const files = [{ path: 'study/one.png', bytes: encodePng(drawField(1, 64).image) }]
  const made = folders.get(who.userId) ?? upload(server, who, { parentId: null, files })
  folders.set(who.userId, made)
  return (await made) ?? ''
}
const prepare = (
  who: Session,
  id: string,
  folderId: string,
  settings: Body<'toolbox/tryTool'>['settings'] = {},
) => server.call('toolbox/prepareByTool', { id, folderId, settings, name: `made ${count}` }, who)
const tryOut = (
  who: Session,
  id: string,
  folderId: string,
  settings: Body<'toolbox/tryTool'>['settings'] = {},
) => server.call('toolbox/tryTool', { id, folderId, settings }, who)

/** Width and height of the one image that the work made. */
async function sizeMade(who: Session, workId: string): Promise<number[]> {
  await work(worker, workId)
  const { data } = await server.call('recipes/works', { ids: [workId] }, who)
  const { data: list } = await server.call('files/list', { folderId: data.works[0]?.resultId ?? '' }, who)
  const { data: open } = await server.call(
    'files/open',
    { id: list.entries[0]?.id ?? '', download: true },
    who,
  )
  const png = Buffer.from(await (await fetch(server.url + open.url)).arrayBuffer())
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

describe('a tool made of a recipe', () => {
  it('does what the recipe did with what its user chose, and stands in the history by its name', async () => {
    const tool = await made(owner)
    expect(tool).toMatchObject({
      ...{ kind: 'recipe', level: 0, state: 'ready', from: null, task: null },
      fields: [
        { kind: 'number', name: '0.width', label: 'How wide', value: 40, min: 20, max: 60, unit: 'px' },
        { kind: 'choice', name: '1.fill', do: 'pad', value: 'black', values: ['black', 'edge', 'mirror'] },
      ],
    })
    const folderId = await folder(owner)
    const tried = await tryOut(owner, tool.id, folderId, { '0.width': 55 })
    expect(tried.data.samples[0]?.after[0]).toMatchObject({ width: 55, height: 48 })
    const { data: begun } = await prepare(owner, tool.id, folderId, { '0.width': 55, '1.fill': 'edge' })
    expect(begun).toMatchObject({ state: 'waiting', work: { recipe: { name: tool.name } } })
    expect(await sizeMade(owner, begun.id)).toEqual([55, 48])
    const { data: history } = await server.call('toolbox/history', {}, owner)
    expect(history.uses[0]).toMatchObject({ tool: `own:${tool.id}`, toolName: tool.name, jobId: begun.id })
    expect(JSON.parse(history.uses[0]?.inputs.settings ?? '')).toEqual({ '0.width': 55, '1.fill': 'edge' })
    const { data: status } = await server.call('toolbox/status', { ids: [begun.id] }, owner)
    expect(status.jobs).toMatchObject([{ state: 'done', kind: 'preparation' }])
  })

  it('keeps the steps as they were until its maker takes the newest', async () => {
    const kept = await keep(owner)
    const tool = await made(owner, { sourceId: kept.id })
    expect(tool.made).toMatchObject({ hasNewer: false, madeFrom: kept.updatedAt, sourceName: kept.name })
    server.forward(1000)
    const newer: Recipe = { v: 1, steps: [{ do: 'size', how: 'stretch', width: 30, height: 30 }] }
    await keep(owner, newer, kept.id)
    expect((await seen(owner, tool.id)).made).toMatchObject({ hasNewer: true, madeFrom: kept.updatedAt })
    const folderId = await folder(owner)
    const before = await tryOut(owner, tool.id, folderId)
    expect(before.data.samples[0]?.after[0]).toMatchObject({ width: 48, height: 48 })
    const about = { id: tool.id, name: tool.name, picture: tool.picture }
    const change = (more: object) => server.call('toolbox/changeTool', { ...about, ...more }, owner)
    // A setting of a step that the newest has not.
    const refused = await change({ open: [fill], takeNewest: true })
    expect(refused.data.fields).toEqual({ 'open.0': 'form.invalid' })
    const { data: changed } = await change({ open: [width], takeNewest: true })
    expect(changed).toMatchObject({ made: { hasNewer: false }, fields: [{ value: 30 }] })
    const after = await tryOut(owner, tool.id, folderId)
    expect(after.data.samples[0]?.after[0]).toMatchObject({ width: 30, height: 30 })
  })

  it('refuses settings that its form does not have, and what lies outside of its range', async () => {
    const { id } = await made(owner)
    const folderId = await folder(owner)
    const narrow = await prepare(owner, id, folderId, { '0.width': 61 })
    expect(narrow.data).toMatchObject({
      error: 'own_tool_range',
      params: { name: 'How wide', min: 20, max: 60 },
    })
    expect(narrow.message).toBe('“How wide” must lie between 20 and 60: so says the tool.')
    const invalid = [
      { '0.height': 30 },
      { '0.width': 30.5 },
      { '0.width': 'wide' },
      { '1.fill': 'pink' },
      { other: 1 },
    ]
    for (const settings of invalid) {
      const { data } = await tryOut(owner, id, folderId, settings)
      expect({ settings, error: data.error }).toEqual({ settings, error: 'invalid' })
    }
    const tiles = await made(owner, {
      sourceId: (await keep(owner, { v: 1, steps: [{ do: 'tiles', width: 32, height: 32, overlap: 8 }] })).id,
      open: [{ step: 0, key: 'overlap', label: '', min: null, max: null }],
    })
    expect((await tryOut(owner, tiles.id, folderId, { '0.overlap': 32 })).data.error).toBe(
      'own_tool_settings',
    )
    expect((await tryOut(owner, tiles.id, 'nowhere')).data.error).toBe('missing')
  })

  it('is refused where name or form cannot be', async () => {
    const kept = await keep(owner)
    const { name } = await made(owner, { sourceId: kept.id })
    const errorOf = async (more: Partial<Body<'toolbox/makeTool'>>) =>
      (await make(owner, { sourceId: kept.id, ...more })).data.error
    expect(await errorOf({ name })).toBe('name_taken')
    expect(await errorOf({ name: ' ' })).toBe('invalid')
    expect(await errorOf({ name: 'x'.repeat(101) })).toBe('invalid')
    expect(await errorOf({ about: 'x'.repeat(limits.aboutLength + 1) })).toBe('invalid')
    expect(await errorOf({ sourceId: 'nothing' })).toBe('recipe_missing')
    const unfit: Partial<OpenSetting>[] = [
      { step: 9 },
      { key: 'do' },
      { min: 41 },
      { max: 39 },
      { max: 20_000 },
      { label: 'x'.repeat(limits.labelLength + 1) },
    ]
    for (const change of unfit) {
      expect({ change, error: await errorOf({ open: [{ ...width, ...change }] }) }).toEqual({
        change,
        error: 'invalid',
      })
    }
    expect(await errorOf({ open: [width, width] })).toBe('invalid')
    expect(await errorOf({ open: [{ ...fill, min: 1 }] })).toBe('invalid')
    expect((await make(friend, { sourceId: kept.id })).data.error).toBe('recipe_missing')
  })

  it('is the last of so many that one member makes', async () => {
    const who = await member()
    const kept = await keep(who)
    const row = {
      ownerId: who.userId,
      kind: 'recipe' as const,
      picture: 'pen' as const,
      sourceName: '',
      createdAt: new Date(),
      madeFrom: new Date(),
    }
    const rows = Array.from({ length: limits.ownTools - 1 }, (_, place) => ({
      ...row,
      id: newId(),
      name: `${place}`,
    }))
    await server.ctx.db.insert(ownTools).values(rows)
    expect((await make(who, { sourceId: kept.id })).code).toBe(10200)
    const refused = await make(who, { sourceId: kept.id })
    expect(refused.data).toMatchObject({ error: 'own_tool_limit', params: { limit: limits.ownTools } })
  })
})

describe('a shared tool', () => {
  it('works for the member alone whom it was given to, who learns nothing of what is inside', async () => {
    const kept = await keep(owner)
    const tool = await made(owner, { sourceId: kept.id })
    const folderId = await folder(friend)
    expect((await prepare(friend, tool.id, folderId)).data.error).toBe('own_tool_missing')
    const { data: given } = await share(owner, { id: tool.id, account: friend.account })
    expect(given.made?.shares).toMatchObject([{ group: null, expiresAt: null }])
    const nickName = await nameOf(owner)
    const shown = await seen(friend, tool.id)
    expect(shown).toMatchObject({ from: { owner: nickName, group: null }, made: null, state: 'ready' })
    const { data: begun } = await prepare(friend, tool.id, folderId, { '0.width': 25 })
    expect(begun.work).toMatchObject({ recipe: { name: tool.name, isClosed: true, steps: [] } })
    expect(await sizeMade(friend, begun.id)).toEqual([48, 48])
    const { data: works } = await server.call('recipes/works', { ids: [begun.id] }, friend)
    const text = JSON.stringify([shown, begun, works, await archiveOf(friend)])
    expect(text).not.toContain('stretch')
    expect(text).not.toContain('"height":40')
    // Where it matters the steps are there: images that a network will see are prepared by them.
    const inside = await recipeOf(server.ctx.db, works.works[0]?.resultId ?? '')
    expect(inside?.steps).toHaveLength(2)
    const { data: notices } = await server.call('notice/list', {}, friend)
    expect(notices.items[0]).toMatchObject({ kind: 'tool_shared', params: { name: tool.name } })
    // It is the maker's to change, share and delete.
    const stranger = await member()
    for (const who of [friend, stranger]) {
      const change = { id: tool.id, name: 'Mine', picture: 'pen' as const }
      expect((await server.call('toolbox/changeTool', change, who)).data.error).toBe('own_tool_missing')
      expect((await share(who, { id: tool.id, account: owner.account })).data.error).toBe('own_tool_missing')
    }
    expect((await server.call('toolbox/ownTool', { id: tool.id }, stranger)).data.error).toBe(
      'own_tool_missing',
    )
    const administrator = await server.signUp({ role: 1 })
    expect((await prepare(administrator, tool.id, folderId)).data.error).toBe('own_tool_missing')
    expect((await server.call('toolbox/ownTool', { id: tool.id }, null)).data.error).toBe('not_signed_in')
  })

  it('is refused twice, to oneself, to nobody, and beyond the level', async () => {
    const { id } = await made(owner)
    await share(owner, { id, account: friend.account })
    const errorOf = async (body: Omit<Body<'toolbox/shareTool'>, 'id'>, who: Session = owner) =>
      (await share(who, { id, ...body })).data.error
    expect(await errorOf({ account: friend.account })).toBe('share_twice')
    expect(await errorOf({ account: owner.account })).toBe('share_self')
    expect(await errorOf({ account: 'nobody@example.com' })).toBe('account_missing')
    expect(await errorOf({})).toBe('invalid')
    expect(await errorOf({ account: friend.account, groupId: 'x' })).toBe('invalid')
    expect(await errorOf({ groupId: 'nothing' })).toBe('group_missing')
    for (let number = 0; number < 2; number += 1)
      await share(owner, { id, account: (await member()).account })
    expect(await errorOf({ account: (await member()).account })).toBe('share_limit')
    const visitor = await member(0)
    const own = await made(visitor)
    expect((await share(visitor, { id: own.id, account: owner.account })).data.error).toBe('upgrade_needed')
  })

  it('stops, and says why, when it is withdrawn, its time is over, its recipe or its maker is gone', async () => {
    const maker = await member()
    const user = await member()
    const kept = await keep(maker)
    const tool = await made(maker, { sourceId: kept.id })
    const folderId = await folder(user)
    const errorOf = async () => (await prepare(user, tool.id, folderId)).data.error
    const { data: given } = await share(maker, { id: tool.id, account: user.account })
    const { data: begun } = await prepare(user, tool.id, folderId)
    const shareId = given.made?.shares[0]?.id ?? ''
    const { data: after } = await server.call('toolbox/unshareTool', { id: tool.id, shareId }, maker)
    expect(after.made?.shares).toEqual([])
    expect(await errorOf()).toBe('own_tool_withdrawn')
    expect((await seen(user, tool.id)).state).toBe('withdrawn')
    const again = await server.call('toolbox/unshareTool', { id: tool.id, shareId }, maker)
    expect(again.data.error).toBe('missing')
    // What was under way comes to its end.
    expect(await sizeMade(user, begun.id)).toEqual([48, 48])

    await share(maker, { id: tool.id, account: user.account, days: 7 })
    expect(await errorOf()).toBeUndefined()
    const { db } = server.ctx
    const [{ sharedAt, expiresAt } = { sharedAt: null, expiresAt: null }] = await db
      .select()
      .from(ownToolShares)
      .where(eq(ownToolShares.toolId, tool.id))
    expect(Number(expiresAt) - Number(sharedAt)).toBe(7 * dayMs)
    await db.update(ownToolShares).set({ expiresAt: new Date() }).where(eq(ownToolShares.toolId, tool.id))
    expect(await errorOf()).toBe('own_tool_expired')
    expect((await share(maker, { id: tool.id, account: user.account })).code).toBe(10200)
    expect(await errorOf()).toBeUndefined()

    // As an earlier version may have left it.
    await db
      .update(ownTools)
      .set({ recipe: { v: 9 } as never })
      .where(eq(ownTools.id, tool.id))
    expect(await errorOf()).toBe('own_tool_broken')
    await server.call('recipes/remove', { id: kept.id }, maker)
    expect(await errorOf()).toBe('own_tool_source_gone')
    expect((await prepare(maker, tool.id, await folder(maker))).data.error).toBe('own_tool_source_gone')
    await db.update(users).set({ cancelledAt: new Date() }).where(eq(users.id, maker.userId))
    expect(await errorOf()).toBe('own_tool_owner_gone')
    // Whoever was given it can put it away.
    expect((await server.call('toolbox/removeTool', { id: tool.id }, user)).code).toBe(10200)
    expect(await errorOf()).toBe('own_tool_missing')
  })

  it('works for a group as long as its maker and its user belong to it', async () => {
    const [maker, user, other] = [await member(), await member(), await member()]
    const tool = await made(maker)
    const { data: group } = await server.call('files/createGroup', { name: 'Ward' }, maker)
    const join = (who: Session) => server.call('files/joinGroup', { number: group.number }, who)
    await join(user)
    await share(maker, { id: tool.id, groupId: group.id })
    expect((await share(maker, { id: tool.id, groupId: group.id })).data.error).toBe('share_twice')
    const folderId = await folder(user)
    expect((await prepare(user, tool.id, folderId)).code).toBe(10200)
    expect((await seen(user, tool.id)).from).toMatchObject({ group: 'Ward' })
    expect((await prepare(other, tool.id, await folder(other))).data.error).toBe('own_tool_missing')
    expect((await share(other, { id: (await made(other)).id, groupId: group.id })).data.error).toBe(
      'group_missing',
    )
    await server.call('files/exitGroup', { groupId: group.id }, user)
    expect((await prepare(user, tool.id, folderId)).data.error).toBe('own_tool_missing')
    await join(user)
    await server.call('files/dissolveGroup', { groupId: group.id }, maker)
    expect((await prepare(user, tool.id, folderId)).data.error).toBe('own_tool_missing')
    expect((await seen(maker, tool.id)).made?.shares).toEqual([])
  })

  it('is a favourite like others, and leaves the list when it is deleted', async () => {
    const tool = await made(owner)
    const mark = (who: Session) =>
      server.call('toolbox/setFavourite', { tool: `own:${tool.id}`, isFavourite: true }, who)
    expect((await mark(friend)).data.error).toBe('own_tool_missing')
    await share(owner, { id: tool.id, account: friend.account })
    await mark(friend)
    const favourites = async () => (await server.call('toolbox/home', {}, friend)).data.favourites
    expect(await favourites()).toContain(`own:${tool.id}`)
    const names = async (who: Session) =>
      (await server.call('toolbox/ownTools', {}, who)).data.tools.map(({ id }) => id)
    expect(await names(friend)).toContain(tool.id)
    await server.call('toolbox/removeTool', { id: tool.id }, owner)
    expect(await favourites()).not.toContain(`own:${tool.id}`)
    expect(await names(friend)).not.toContain(tool.id)
    expect((await server.call('toolbox/removeTool', { id: tool.id }, owner)).data.error).toBe(
      'own_tool_missing',
    )
  })
})

const nameOf = async ({ userId }: Session): Promise<string> => {
  const [row] = await server.ctx.db.select().from(users).where(eq(users.id, userId))
  return row?.nickName ?? ''
}
async function archiveOf(who: Session): Promise<string> {
  const { data } = await server.call('user/export', {}, who)
  const entries = await unzip(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer()))
  return [...entries].map(([path, { bytes }]) => `${path}\n${bytes}`).join('\n')
}
