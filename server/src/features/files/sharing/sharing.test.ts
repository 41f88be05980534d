import { sharing as limits, planLimits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeFolder, put } from '../../../../test/sharing.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const silver = () => server.signUp({ vipLevel: 3 })
const share = (
  owner: Session,
  id: string,
  { account }: { account: string },
  permission: 'view' | 'edit' = 'view',
) => server.call('files/share', { id, account, permission }, owner)

describe('sharing with accounts', () => {
  it('shows what was shared to the recipient, with the right and whose it is', async () => {
    const owner = await server.signUp({ vipLevel: 3, nickName: 'Owner' })
    const friend = await silver()
    const id = await makeFolder(server, owner, 'scans')
    const { data, code } = await share(owner, id, friend, 'edit')
    expect(code).toBe(10200)
    expect(data).toMatchObject({ member: { account: friend.account }, group: null, permission: 'edit' })
    const { shared } = (await server.call('files/sharedWithMe', {}, friend)).data
    expect(shared).toMatchObject([
      { shareId: data.id, access: 'edit', owner: 'Owner', entry: { id, name: 'scans', shared: false } },
    ])
    expect((await server.call('files/shares', { id }, owner)).data).toMatchObject({
      shares: [{ id: data.id }],
      links: [],
      accountLimit: 20,
    })
    expect((await server.call('plans/shared', {}, owner)).data.datasets).toEqual({ used: 1, limit: 4 })
  })

  it('finds the account under each spelling that signs in with it', async () => {
    const owner = await silver()
    const byPhone = await server.signUp({ account: '8613800000071' })
    const byMail = await silver()
    const id = await makeFolder(server, owner, 'scans')
    expect((await share(owner, id, { account: ' +86 138 0000 0071 ' })).code).toBe(10200)
    expect((await share(owner, id, { account: byMail.account.toUpperCase() })).code).toBe(10200)
    expect((await server.call('files/sharedWithMe', {}, byPhone)).data.shared).toHaveLength(1)
  })

  it('tells the recipient of the share and of its end', async () => {
    const owner = await server.signUp({ vipLevel: 3, nickName: 'Dr Owner' })
    const friend = await silver()
    const id = await makeFolder(server, owner, 'scans')
    const { data } = await share(owner, id, friend)
    await server.call('files/unshare', { shareIds: [data.id] }, owner)
    const { items } = (await server.call('notice/list', {}, friend)).data
    const params = { owner: 'Dr Owner', name: 'scans' }
    expect(items).toMatchObject([
      { kind: 'share_withdrawn', params },
      { kind: 'shared_with_you', params },
    ])
    expect((await server.call('files/sharedWithMe', {}, friend)).data.shared).toEqual([])
    expect((await server.call('files/open', { id }, friend)).data.error).toBe('missing')
  })

  it('refuses oneself, the same account twice, unknown accounts and what is not one’s own', async () => {
    const [owner, friend, stranger] = [await silver(), await silver(), await silver()]
    const id = await makeFolder(server, owner, 'scans')
    const error = async (who: Session, account: string) => (await share(who, id, { account })).data.error
    expect(await error(owner, owner.account)).toBe('share_self')
    expect(await error(owner, 'nobody@example.test')).toBe('account_missing')
    expect(await error(stranger, friend.account)).toBe('missing')
    await share(owner, id, friend, 'edit')
    expect(await error(owner, friend.account)).toBe('share_twice')
    expect(await error(friend, stranger.account)).toBe('not_allowed')
  })

  it('refuses what lies in a folder that the same account has already, at any depth', async () => {
    const [owner, friend, other] = [await silver(), await silver(), await silver()]
    const folder = await makeFolder(server, owner, 'scans')
    const { data: inner } = await server.call('files/createFolder', { parentId: folder, name: 'a' }, owner)
    const file = await put(server, owner, { parentId: inner.id, name: 'x.txt', bytes: Buffer.from('x') })
    const given = await share(owner, folder, friend)
    const refused = { error: 'share_above', params: { folder: 'scans' } }
    expect((await share(owner, file, friend)).data).toMatchObject(refused)
    expect((await share(owner, inner.id, friend, 'edit')).data).toMatchObject(refused)
    expect((await share(owner, file, other)).code).toBe(10200)
    await server.call('files/unshare', { shareIds: [given.data.id] }, owner)
    expect((await share(owner, file, friend)).code).toBe(10200)
  })

  it('lets visitors of the product and ordinary members share nothing', async () => {
    const friend = await silver()
    for (const [vipLevel, error] of ['upgrade_needed', 'shared_datasets_limit'].entries()) {
      const owner = await server.signUp({ vipLevel })
      const id = await makeFolder(server, owner, 'scans')
      expect((await share(owner, id, friend)).data.error).toBe(error)
      expect((await server.call('files/createLink', { id, days: 1 }, owner)).data.error).toBe(error)
    }
  })

  it('counts things and accounts of the level; a link to the same thing is no second thing', async () => {
    const owner = await server.signUp({ vipLevel: 2 })
    const { sharedDatasets, shareAccounts } = planLimits({ vipLevel: 2, vipSuper: 0 })
    const friends = await Promise.all(Array.from({ length: 11 }, silver))
    const [first, second, third] = await Promise.all(
      ['a', 'b', 'c'].map((name) => makeFolder(server, owner, name)),
    )
    if (!first || !second || !third || !friends[0]) throw new Error('too few')
    const outcomes = []
    for (const friend of friends) outcomes.push((await share(owner, first, friend)).data.error)
    expect(outcomes).toEqual([...Array(shareAccounts ?? 0).fill(undefined), 'share_limit'])
    expect((await server.call('files/createLink', { id: first, days: 1 }, owner)).code).toBe(10200)
    expect((await server.call('files/createLink', { id: second, days: 1 }, owner)).code).toBe(10200)
    const refused = await share(owner, third, friends[0])
    expect(refused.data).toMatchObject({
      error: 'shared_datasets_limit',
      params: { limit: sharedDatasets, used: sharedDatasets },
    })
  })

  it('gives another permission, and an end by the recipient', async () => {
    const [owner, friend] = [await silver(), await silver()]
    const id = await makeFolder(server, owner, 'scans')
    const { data } = await share(owner, id, friend)
    const make = () => server.call('files/createFolder', { parentId: id, name: 'new' }, friend)
    expect((await make()).data.error).toBe('not_allowed')
    await server.call('files/changeShare', { shareId: data.id, permission: 'edit' }, owner)
    expect((await make()).code).toBe(10200)
    expect(
      (await server.call('files/changeShare', { shareId: data.id, permission: 'view' }, friend)).data.error,
    ).toBe('missing')
    expect((await server.call('files/leaveShare', { shareId: data.id }, owner)).data.error).toBe('missing')
    expect((await server.call('files/leaveShare', { shareId: data.id }, friend)).code).toBe(10200)
    expect((await server.call('files/list', { folderId: id }, friend)).data.error).toBe('missing')
    expect((await server.call('files/shares', { id }, owner)).data.shares).toEqual([])
  })

  it('leaves to the owner what an editor makes, sends and removes, and the space it takes', async () => {
    const [owner, friend] = [await silver(), await silver()]
    const id = await makeFolder(server, owner, 'scans')
    await share(owner, id, friend, 'edit')
    const inner = await makeFolder(server, friend, 'inner', id)
    const file = await put(server, friend, { parentId: inner, name: 'a.bin', bytes: Buffer.alloc(1000) })
    const used = async (who: Session) => (await server.call('user/size', {}, who)).data.storageSize
    expect([await used(owner), await used(friend)]).toEqual([1000, 0])
    await server.call('files/remove', { ids: [file] }, friend)
    const recycled = async (who: Session) =>
      (await server.call('files/recycled', {}, who)).data.entries.map((entry) => entry.id)
    expect([await recycled(owner), await recycled(friend)]).toEqual([[file], []])
    const { records } = (await server.call('files/records', {}, owner)).data
    expect(records.map(({ action, name }) => [action, name])).toEqual([
      ['remove', 'a.bin'],
      ['upload', 'a.bin'],
      ['createFolder', 'inner'],
      ['share', 'scans'],
      ['createFolder', 'scans'],
    ])
  })

  it('slows who tries accounts one after the other', async () => {
    const [owner, friend] = [await silver(), await silver()]
    const id = await makeFolder(server, owner, 'scans')
    const tries = Array.from({ length: limits.accountTries + 20 }, (_, index) =>
      share(owner, id, { account: `guess${index}@example.test` }),
    )
    const errors = (await Promise.all(tries)).map(({ data }) => data.error)
    expect(errors.filter((error) => error === 'account_missing')).toHaveLength(limits.accountTries)
    expect(errors.filter((error) => error === 'tries_wait')).toHaveLength(20)
    expect((await share(owner, id, friend)).data.error).toBe('tries_wait')
    server.forward(limits.accountTriesMs)
    // The clock went on for the sessions as well.
    expect((await share(owner, id, friend)).code).toBe(10200)
  })

  it('keeps what is in the recycle station out of sight until it is back', async () => {
    const [owner, friend] = [await silver(), await silver()]
    const id = await makeFolder(server, owner, 'scans')
    await put(server, owner, { parentId: id, name: 'a.bin', bytes: Buffer.from('x') })
    await share(owner, id, friend)
    const count = async () => (await server.call('files/sharedWithMe', {}, friend)).data.shared.length
    await server.call('files/remove', { ids: [id] }, owner)
    expect(await count()).toBe(0)
    await server.call('files/restore', { ids: [id] }, owner)
    expect(await count()).toBe(1)
  })
})

describe('a hospital’s own server', () => {
  it('knows no limits of sharing', async () => {
    const own = await makeServer({ deployment: 'private' })
    try {
      const owner = await own.signUp({ vipLevel: 0 })
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        const friend = await own.signUp()
        const id = await makeFolder(own, owner, name)
        const { code } = await own.call(
          'files/share',
          { id, account: friend.account, permission: 'view' },
          owner,
        )
        expect(code).toBe(10200)
      }
    } finally {
      await own.close()
    }
  })
})
