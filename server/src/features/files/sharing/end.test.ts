import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeFolder, put } from '../../../../test/sharing.ts'
import { unzip } from '../../../../test/unzip.ts'
import { users } from '../../accounts/tables.ts'
import { eraseOf } from '../erase.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const member = (nickName: string) => server.signUp({ password: null, vipLevel: 4, nickName })

/** Somebody who shares in all ways, with whoever that concerns. */
async function makeSharer() {
  const [owner, friend] = [await member('Owner'), await member('Friend')]
  const id = await makeFolder(server, owner, 'scans')
  await put(server, owner, { parentId: id, name: 'a.bin', bytes: Buffer.from('x') })
  const share = { id, account: friend.account, permission: 'view' } as const
  await server.call('files/share', share, owner)
  const { token } = (await server.call('files/createLink', { id, days: 7, password: 'secret' }, owner)).data
  const group = (await server.call('files/createGroup', { name: 'Ward 3', password: 'let me in' }, owner))
    .data
  await server.call('files/joinGroup', { number: group.number, password: 'let me in' }, friend)
  await server.call('files/giveToGroup', { groupId: group.id, ids: [id], permission: 'edit' }, owner)
  return { owner, friend, id, token, group }
}

const textOf = async (who: Session): Promise<Map<string, string>> => {
  const { url } = (await server.call('user/export', {}, who)).data
  const archive = await unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
  return new Map([...archive].map(([path, { bytes }]) => [path, bytes.toString()]))
}

it('the archive of one’s own tells what was shared, without any secret', async () => {
  const { owner, friend, token } = await makeSharer()
  const archive = await textOf(owner)
  const sharing = archive.get('sharing.json') ?? ''
  expect(JSON.parse(sharing)).toMatchObject({
    shares: [
      { name: 'scans', permission: 'view', member: { account: friend.account } },
      { name: 'scans', permission: 'edit', group: { name: 'Ward 3' } },
    ],
    links: [{ name: 'scans', hasPassword: true, opened: 0 }],
    received: [],
    groups: [{ name: 'Ward 3', isOwner: true }],
  })
  const records = JSON.parse(archive.get('cloud-records.json') ?? '[]')
  expect(records.map(({ action, actor }: { action: string; actor: string }) => [action, actor])).toEqual([
    ['createFolder', 'Owner'],
    ['upload', 'Owner'],
    ['share', 'Owner'],
    ['share', 'Owner'],
    ['share', 'Owner'],
  ])
  for (const secret of [token, 'argon2', 'password_hash', 'passwordHash'])
    expect(sharing).not.toContain(secret)
  const received = JSON.parse((await textOf(friend)).get('sharing.json') ?? '{}')
  expect(received).toMatchObject({
    received: [{ name: 'scans', owner: 'Owner', permission: 'view' }],
    groups: [{ name: 'Ward 3', isOwner: false }],
  })
})

it('a closed account takes its shares, links, groups and records along, and those concerned are told', async () => {
  const { owner, friend, id, token, group } = await makeSharer()
  await server.ctx.db.update(users).set({ cancelledAt: server.ctx.now() }).where(eq(users.id, owner.userId))
  // Before the job that deletes comes round, there is nothing to be seen any more.
  expect((await server.call('files/list', { folderId: id }, friend)).data.error).toBe('missing')
  expect((await server.call('files/visitLink', { token })).data.error).toBe('link_gone')
  await eraseOf(server.ctx, owner.userId)
  await eraseOf(server.ctx, owner.userId)
  for (const table of ['file_shares', 'file_links', 'file_groups', 'file_records', 'files']) {
    const { rowCount } = await server.ctx.pool.query(`select 1 from ${table} where owner_id = $1`, [
      owner.userId,
    ])
    expect([table, rowCount]).toEqual([table, 0])
  }
  expect((await server.call('files/groups', {}, friend)).data.groups).toEqual([])
  const { items } = (await server.call('notice/list', {}, friend)).data
  expect(items.map(({ kind, params }) => ({ kind, params }))).toEqual([
    { kind: 'share_withdrawn', params: { owner: 'Owner', name: 'scans' } },
    { kind: 'group_dissolved', params: { owner: 'Owner', group: group.name } },
    { kind: 'shared_with_you', params: { owner: 'Owner', name: 'scans' } },
  ])
})

it('a closed account leaves the groups of others, and gives up what was shared with it', async () => {
  const { owner, friend, group } = await makeSharer()
  const own = await makeFolder(server, friend, 'own')
  await server.call('files/giveToGroup', { groupId: group.id, ids: [own], permission: 'view' }, friend)
  await eraseOf(server.ctx, friend.userId)
  const { members } = (await server.call('files/groupMembers', { groupId: group.id }, owner)).data
  expect(members).toMatchObject([{ nickName: 'Owner' }])
  const { shared } = (await server.call('files/groupData', { groupId: group.id }, owner)).data
  expect(shared).toHaveLength(1)
})

it('pages of those concerned hear of every change', async () => {
  const heard: string[] = []
  const all = server.ctx.listener
  all.on('live_passing', (payload) => heard.push(JSON.parse(payload).topic))
  all.on('live_stored', (topic) => heard.push(topic))
  const { owner, friend, id, group } = await makeSharer()
  const { shares } = (await server.call('files/shares', { id }, owner)).data
  const shareId = shares.find(({ member: to }) => to !== null)?.id ?? ''
  const hears = async (who: Session, deed: () => Promise<unknown>) => {
    heard.length = 0
    await deed()
    await expect.poll(() => heard).toContain(`user:${who.userId}`)
  }
  const groupId = group.id
  await hears(friend, () => server.call('files/changeShare', { shareId, permission: 'edit' }, owner))
  await hears(friend, () => server.call('files/unshare', { shareIds: [shareId] }, owner))
  const again = await server.call('files/share', { id, account: friend.account, permission: 'view' }, owner)
  await hears(owner, () => server.call('files/leaveShare', { shareId: again.data.id }, friend))
  await hears(friend, () => server.call('files/editGroup', { groupId, name: 'Ward 4', about: '' }, owner))
  await hears(owner, () => server.call('files/exitGroup', { groupId }, friend))
})
