import { sharing as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { insist } from '../../../test/sharing.ts'
import { unzip } from '../../../test/unzip.ts'
import { users } from '../accounts/tables.ts'
import { eraseOf } from './erase.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const member = (nickName = 'Member', vipLevel = 4) => server.signUp({ password: null, vipLevel, nickName })
const create = async (session: Session, name = 'Lungs'): Promise<string> =>
  (await server.call('projects/create', { name, task: 'classification' }, session)).data.id
const share = (id: string, account: string, session: Session, permission: 'view' | 'edit' = 'view') =>
  server.call('projects/share', { id, account, permission }, session)
const accessOf = async (id: string, session: Session) => {
  const { data } = await server.call('projects/detail', { id }, session)
  return data.error ?? data.access
}
const noticesOf = async (session: Session) =>
  (await server.call('notice/list', {}, session)).data.items.map(({ kind, params }) => ({ kind, params }))

describe('sharing a project', () => {
  it('gives an account a right, changes it and takes it away at once, and tells the recipient', async () => {
    const [owner, friend] = [await member('Dr Li'), await member('Friend')]
    const id = await create(owner)
    const { data } = await share(id, ` ${friend.account.toUpperCase()} `, owner)
    expect(data).toMatchObject({
      permission: 'view',
      member: { nickName: 'Friend', account: friend.account },
    })
    expect(await accessOf(id, friend)).toBe('view')
    const list = await server.call('projects/shares', { id }, owner)
    expect(list.data).toEqual({ shares: [data], limit: 50 })
    await server.call('projects/changeShare', { shareId: data.id, permission: 'edit' }, owner)
    expect(await accessOf(id, friend)).toBe('edit')
    await server.call('projects/unshare', { shareId: data.id }, owner)
    expect(await accessOf(id, friend)).toBe('project_missing')
    const params = { owner: 'Dr Li', name: 'Lungs' }
    expect(await noticesOf(friend)).toEqual([
      { kind: 'project_unshared', params },
      { kind: 'project_shared', params },
    ])
  })

  it('ends when the recipient leaves', async () => {
    const [owner, friend] = [await member(), await member()]
    const id = await create(owner)
    const { data } = await share(id, friend.account, owner)
    expect((await server.call('projects/leaveShare', { shareId: data.id }, friend)).code).toBe(10200)
    expect(await accessOf(id, friend)).toBe('project_missing')
    expect((await server.call('projects/shares', { id }, owner)).data.shares).toEqual([])
  })

  it('refuses oneself, the same account twice, unknown accounts', async () => {
    const [owner, friend] = [await member(), await member('Friend')]
    const id = await create(owner)
    expect((await share(id, owner.account, owner)).data.error).toBe('share_self')
    expect((await share(id, 'nobody@example.test', owner)).data.error).toBe('account_missing')
    await share(id, friend.account, owner)
    expect((await share(id, friend.account, owner, 'edit')).data).toMatchObject({
      error: 'share_twice',
      params: { name: 'Friend' },
    })
  })

  it('slows who tries accounts, in the cloud and here together', async () => {
    const owner = await member()
    const id = await create(owner)
    for (let number = 0; number < limits.accountTries; number += 1)
      expect((await share(id, `nobody-${number}@example.test`, owner)).data.error).toBe('account_missing')
    expect((await share(id, 'nobody@example.test', owner)).data.error).toBe('tries_wait')
    const { data: folder } = await server.call('files/createFolder', { parentId: null, name: 'x' }, owner)
    const body = { id: folder.id, account: 'nobody@example.test', permission: 'view' } as const
    expect((await server.call('files/share', body, owner)).data.error).toBe('tries_wait')
  })

  it('is not for visitors, and nor is making public', async () => {
    const [visitor, friend] = [await member('Visitor', 0), await member()]
    await server.ctx.pool.query(
      `insert into projects (id, owner_id, name, search_text, task, displays, created_at, modified_at)
       values ('of-visitor', $1, 'x', 'x', 'classification', '["per_class_table"]', now(), now())`,
      [visitor.userId],
    )
    expect((await share('of-visitor', friend.account, visitor)).data.error).toBe('upgrade_needed')
    const open = await server.call('projects/setPublic', { id: 'of-visitor', isPublic: true }, visitor)
    expect(open.data.error).toBe('upgrade_needed')
  })

  it('never passes the limit of accounts, however many are given at once', async () => {
    const owner = await member('Owner', 1)
    const id = await create(owner)
    const friends = await Promise.all(Array.from({ length: 6 }, () => member()))
    const tries = await Promise.all(friends.map(({ account }) => insist(() => share(id, account, owner))))
    expect(tries.filter(({ code }) => code === 10200)).toHaveLength(3)
    expect(tries.find(({ code }) => code !== 10200)?.data).toMatchObject({
      error: 'share_limit',
      params: { limit: 3 },
    })
  })

  it('is one share, however often it is given at once', async () => {
    const [owner, friend] = [await member(), await member()]
    const id = await create(owner)
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => insist(() => share(id, friend.account, owner))),
    )
    expect(tries.map(({ data, code }) => data.error ?? code).sort()).toEqual([
      10200,
      ...Array.from({ length: 4 }, () => 'share_twice'),
    ])
  })
})

describe('a removed project', () => {
  it('is gone for everybody, and theirs again when it comes back', async () => {
    const [owner, friend] = [await member(), await member()]
    const id = await create(owner)
    await share(id, friend.account, owner)
    await server.call('projects/remove', { id }, owner)
    expect(await accessOf(id, friend)).toBe('project_missing')
    expect((await server.call('projects/list', {}, friend)).data.projects).toEqual([])
    await server.call('projects/restore', { id }, owner)
    expect(await accessOf(id, friend)).toBe('view')
  })
})

describe('the end of an account', () => {
  it('hides its projects at once, ends its shares and tells those concerned', async () => {
    const [owner, friend, other] = [await member('Owner'), await member(), await member('Other')]
    const id = await create(owner)
    await share(id, friend.account, owner)
    await server.call('projects/setPublic', { id, isPublic: true }, owner)
    const theirs = await create(other)
    await share(theirs, owner.account, other)
    await server.ctx.db.update(users).set({ cancelledAt: server.ctx.now() }).where(eq(users.id, owner.userId))
    expect(await accessOf(id, friend)).toBe('project_missing')
    expect(await accessOf(id, other)).toBe('project_missing')
    await eraseOf(server.ctx, owner.userId)
    await eraseOf(server.ctx, owner.userId)
    expect(await noticesOf(friend)).toMatchObject([{ kind: 'project_unshared' }, { kind: 'project_shared' }])
    expect((await server.call('projects/shares', { id: theirs }, other)).data.shares).toEqual([])
  })

  it('is preceded by an archive that tells what was shared', async () => {
    const [owner, friend] = [await member('Owner'), await member('Friend')]
    const id = await create(owner, 'Told')
    await share(id, friend.account, owner)
    const textOf = async (who: Session, path: string) => {
      const { url } = (await server.call('user/export', {}, who)).data
      const archive = await unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
      return JSON.parse(archive.get(path)?.bytes.toString() ?? '')
    }
    expect(await textOf(owner, 'projects.json')).toMatchObject([
      { name: 'Told', shares: [{ permission: 'view', member: { account: friend.account } }] },
    ])
    expect(await textOf(friend, 'project-sharing.json')).toMatchObject({
      received: [{ name: 'Told', owner: 'Owner', permission: 'view' }],
    })
  })
})
