import { sharing as limits, planLimits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { insist, makeFolder } from '../../../../test/sharing.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const member = (nickName = 'Test member') => server.signUp({ vipLevel: 2, nickName })
const found = async (owner: Session, password = '', name = 'Ward 3') =>
  (await server.call('files/createGroup', { name, about: 'Chest CT', password }, owner)).data
const join = (who: Session, number: string, password = '') =>
  server.call('files/joinGroup', { number, password }, who)
const give = (who: Session, groupId: string, id: string, permission: 'view' | 'edit' = 'view') =>
  server.call('files/giveToGroup', { groupId, ids: [id], permission }, who)
const groupsOf = async (who: Session) => (await server.call('files/groups', {}, who)).data.groups
const dataOf = async (who: Session, groupId: string) =>
  (await server.call('files/groupData', { groupId }, who)).data
const kindsOf = async (who: Session) =>
  (await server.call('notice/list', {}, who)).data.items.map(({ kind, params }) => ({ kind, params }))

describe('groups', () => {
  it('are founded with a number, and found and joined by it', async () => {
    const [owner, friend] = [await member('Owner'), await member('Friend')]
    const group = await found(owner)
    expect(group).toMatchObject({ isOwner: true, owner: 'Owner', memberCount: 1, hasPassword: false })
    expect(group.number).toMatch(/^[1-9]\d{8}$/)
    const seen = (await server.call('files/findGroup', { number: group.number }, friend)).data
    expect(seen).toMatchObject({ id: group.id, about: 'Chest CT', owner: 'Owner', joined: false })
    expect((await join(friend, group.number)).data).toMatchObject({ isOwner: false, memberCount: 2 })
    expect((await join(friend, group.number)).data.error).toBe('group_joined')
    const { members } = (await server.call('files/groupMembers', { groupId: group.id }, friend)).data
    expect(members).toMatchObject([
      { nickName: 'Owner', isOwner: true },
      { nickName: 'Friend', isOwner: false },
    ])
    expect(await kindsOf(owner)).toEqual([
      { kind: 'group_joined', params: { member: 'Friend', group: 'Ward 3' } },
    ])
  })

  it('list own ones first', async () => {
    const [owner, friend] = [await member(), await member()]
    const joined = await found(owner, '', 'A')
    const own = await found(friend, '', 'B')
    await join(friend, joined.number)
    expect((await groupsOf(friend)).map(({ id }) => id)).toEqual([own.id, joined.id])
  })

  it('keep their password to themselves, and ask for it', async () => {
    const [owner, friend] = [await member(), await member()]
    const group = await found(owner, 'let me in')
    expect((await join(friend, group.number)).data.error).toBe('access_password_wrong')
    expect((await join(friend, group.number, 'let me')).data.error).toBe('access_password_wrong')
    expect((await join(friend, group.number, 'let me in')).code).toBe(10200)
    const { rows } = await server.ctx.pool.query('select * from file_groups where id = $1', [group.id])
    expect(JSON.stringify(rows)).not.toContain('let me in')
  })

  it('are changed by their owner alone; an empty password lets everybody in', async () => {
    const [owner, friend, third] = [await member(), await member(), await member()]
    const group = await found(owner, 'let me in')
    await join(friend, group.number, 'let me in')
    const edit = (who: Session, password: string | null) =>
      server.call('files/editGroup', { groupId: group.id, name: 'Ward 4', about: '', password }, who)
    expect((await edit(friend, '')).data.error).toBe('not_allowed')
    expect((await edit(third, '')).data.error).toBe('group_missing')
    expect((await edit(owner, null)).data).toMatchObject({ name: 'Ward 4', about: '', hasPassword: true })
    expect((await edit(owner, '')).data.hasPassword).toBe(false)
    expect((await join(third, group.number)).code).toBe(10200)
  })

  it('are as many as the level allows, also when many are founded at once', async () => {
    const owner = await member()
    const limit = planLimits({ vipLevel: 2, vipSuper: 0 }).dataGroups ?? 0
    const made = await Promise.all(
      Array.from({ length: limit + 10 }, () => server.call('files/createGroup', { name: 'G' }, owner)),
    )
    expect(made.filter(({ code }) => code === 10200)).toHaveLength(limit)
    expect(made.filter(({ data }) => data.error === 'plan_limit')).toHaveLength(10)
    const visitor = await server.signUp({ vipLevel: 0 })
    const refused = await server.call('files/createGroup', { name: 'G' }, visitor)
    expect(refused.data.error).toBe('upgrade_needed')
  })
})

describe('group data', () => {
  it('is seen by members, with whose it is and who may take it out', async () => {
    const [owner, friend, stranger] = [await member('Owner'), await member('Friend'), await member()]
    const group = await found(owner)
    await join(friend, group.number)
    const id = await makeFolder(server, friend, 'scans')
    expect((await give(friend, group.id, id, 'edit')).data.shares).toMatchObject([
      { group: { id: group.id }, member: null, permission: 'edit' },
    ])
    expect(await dataOf(owner, group.id)).toMatchObject({
      shared: [{ entry: { id, shared: false }, access: 'edit', owner: 'Friend', canWithdraw: true }],
      next: null,
    })
    expect(await dataOf(friend, group.id)).toMatchObject({
      shared: [{ entry: { id, shared: true }, access: 'own', canWithdraw: true }],
    })
    expect(await dataOf(stranger, group.id)).toMatchObject({ error: 'group_missing' })
    expect((await groupsOf(owner))[0]?.entryCount).toBe(1)
    const opened = (await server.call('files/list', { folderId: id }, owner)).data
    expect(opened).toMatchObject({
      access: 'edit',
      place: { kind: 'group', groupId: group.id, owner: 'Friend' },
    })
  })

  it('is given once, by members, of one’s own, as many as the level shares', async () => {
    const [owner, friend, stranger] = [await member(), await member(), await member()]
    const group = await found(owner)
    await join(friend, group.number)
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => makeFolder(server, friend, name)))
    const [id = '', other = '', third = ''] = ids
    for (const one of [id, other]) expect((await give(friend, group.id, one)).code).toBe(10200)
    expect((await give(friend, group.id, third)).data).toMatchObject({
      error: 'shared_datasets_limit',
      params: { used: 2, total: 3, limit: 2, level: 2 },
    })
    expect((await give(friend, group.id, id)).data.error).toBe('share_twice')
    expect((await give(owner, group.id, id)).data.error).toBe('not_allowed')
    expect((await give(stranger, group.id, id)).data.error).toBe('group_missing')
  })

  it('is not given again out of a folder that the group has already, at any depth', async () => {
    const owner = await member()
    const [group, other] = [await found(owner), await found(owner, '', 'Ward 4')]
    const folder = await makeFolder(server, owner, 'scans')
    const inner = await makeFolder(server, owner, 'inner', folder)
    const deep = await makeFolder(server, owner, 'deep', inner)
    expect((await give(owner, group.id, folder)).code).toBe(10200)
    for (const id of [inner, deep])
      expect((await give(owner, group.id, id, 'edit')).data).toMatchObject({
        error: 'share_above',
        params: { name: 'Ward 3', folder: 'scans' },
      })
    expect((await give(owner, other.id, deep)).code).toBe(10200)
  })

  it('is taken out by whose it is and by the group’s owner', async () => {
    const [owner, friend, third] = [await member(), await member(), await member()]
    const group = await found(owner)
    for (const who of [friend, third]) await join(who, group.number)
    const take = (who: Session, shareId: string) =>
      server.call('files/takeFromGroup', { groupId: group.id, shareId }, who)
    for (const taker of [friend, owner]) {
      const id = await makeFolder(server, friend, taker === owner ? 'a' : 'b')
      const shareId = (await give(friend, group.id, id)).data.shares[0]?.id ?? ''
      expect((await take(third, shareId)).data.error).toBe('not_allowed')
      expect((await take(taker, shareId)).code).toBe(10200)
      expect((await take(taker, shareId)).data.error).toBe('missing')
      expect((await server.call('files/list', { folderId: id }, third)).data.error).toBe('missing')
    }
  })

  it('goes along with whoever leaves or is removed, and with it their sight of the rest', async () => {
    for (const isRemoved of [true, false]) {
      const [owner, friend] = [await member('Owner'), await member()]
      const group = await found(owner)
      await join(friend, group.number)
      const [theirs, ours] = [await makeFolder(server, friend, 'a'), await makeFolder(server, owner, 'b')]
      await give(friend, group.id, theirs)
      await give(owner, group.id, ours)
      const groupId = group.id
      if (isRemoved) await server.call('files/removeMember', { groupId, memberId: friend.userId }, owner)
      else await server.call('files/exitGroup', { groupId }, friend)
      expect((await dataOf(owner, groupId)).shared.map(({ entry }) => entry.id)).toEqual([ours])
      expect(await dataOf(friend, groupId)).toMatchObject({ error: 'group_missing' })
      expect((await server.call('files/list', { folderId: ours }, friend)).data.error).toBe('missing')
      expect((await server.call('files/list', { folderId: theirs }, friend)).code).toBe(10200)
      const told = isRemoved ? [{ kind: 'group_removed', params: { group: 'Ward 3' } }] : []
      expect(await kindsOf(friend)).toEqual(told)
    }
  })

  it('stays with those who gave it when the group is dissolved', async () => {
    const [owner, friend] = [await member('Owner'), await member()]
    const group = await found(owner)
    await join(friend, group.number)
    const id = await makeFolder(server, friend, 'scans')
    await give(friend, group.id, id)
    const groupId = group.id
    expect((await server.call('files/dissolveGroup', { groupId }, friend)).data.error).toBe('not_allowed')
    expect((await server.call('files/exitGroup', { groupId }, owner)).data.error).toBe('not_allowed')
    expect(
      (await server.call('files/removeMember', { groupId, memberId: owner.userId }, owner)).data.error,
    ).toBe('not_allowed')
    expect((await server.call('files/dissolveGroup', { groupId }, owner)).code).toBe(10200)
    expect(await groupsOf(friend)).toEqual([])
    expect((await server.call('files/list', { folderId: id }, owner)).data.error).toBe('missing')
    expect((await server.call('files/list', { folderId: id }, friend)).code).toBe(10200)
    expect(await kindsOf(friend)).toEqual([
      { kind: 'group_dissolved', params: { owner: 'Owner', group: 'Ward 3' } },
    ])
  })

  it('comes page by page, last first', async () => {
    const owner = await member()
    const group = await found(owner)
    await server.ctx.pool.query(
      `insert into files (id, owner_id, kind, name, search_name, sort_name, modified_at)
       select $1 || n, $1, 'folder', 'f' || n, 'f' || n, 'f' || n, now() from generate_series(1, 230) n`,
      [owner.userId],
    )
    await server.ctx.pool.query(
      `insert into file_shares (id, entry_id, owner_id, group_id, permission, shared_at)
       select 's' || $1 || n, $1 || n, $1, $2, 'view', '2026-01-01'::timestamptz + n / 3 * interval '1 ms'
       from generate_series(1, 230) n`,
      [owner.userId, group.id],
    )
    const names = new Set<string>()
    const times: string[] = []
    let after: string | null = null
    do {
      const { data }: Awaited<ReturnType<typeof page>> = await page(owner, group.id, after)
      for (const { entry, sharedAt } of data.shared) {
        names.add(entry.name)
        times.push(sharedAt)
      }
      after = data.next
    } while (after !== null)
    expect(names.size).toBe(230)
    expect(times).toEqual([...times].sort().reverse())
    expect(times).toHaveLength(230)
    const broken = await server.call('files/groupData', { groupId: group.id, after: 'x' }, owner)
    expect(broken.data.error).toBe('bad_request')
  })
  const page = (who: Session, groupId: string, after: string | null) =>
    server.call('files/groupData', { groupId, after }, who)
})

describe('many at once', () => {
  it('join until the group is full, and not one more', async () => {
    const owner = await member()
    const group = await found(owner)
    const free = 50
    // All but the places that are left are taken already.
    await server.ctx.pool.query(
      `with made as (
         insert into users (id, email_key, password_hash, nick_name)
         select $1 || n, $1 || n || '@example.test', '', 'm' || n from generate_series(1, $2) n
         returning id
       )
       insert into file_group_members (group_id, user_id, joined_at) select $1, id, now() from made`,
      [group.id, limits.groupMembers - 1 - free],
    )
    // Without a password of their own: to make that many would take longer than the test.
    const people = await Promise.all(Array.from({ length: 200 }, () => server.signUp({ password: null })))
    const answers = await Promise.all(people.map((one) => insist(() => join(one, group.number))))
    expect(answers.filter(({ code }) => code === 10200).length).toBeLessThanOrEqual(free)
    // On a loaded machine an answer may come too late for a deed that was done: the rows tell.
    const errors = new Set(answers.map(({ data }) => data.error))
    const known: unknown[] = [undefined, 'group_full', 'group_joined']
    expect([...errors].filter((one) => !known.includes(one))).toEqual([])
    const { rows } = await server.ctx.pool.query(
      'select count(*)::int as count from file_group_members where group_id = $1',
      [group.id],
    )
    expect(rows).toEqual([{ count: limits.groupMembers }])
  })

  it('join, leave, give and are removed without leaving anything of those who are gone', async () => {
    const owner = await member()
    const group = await found(owner)
    const people = await Promise.all(Array.from({ length: 8 }, () => member()))
    const folders = await Promise.all(people.map((one) => makeFolder(server, one, 'scans')))
    const groupId = group.id
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const who = people[index % people.length] ?? owner
        const id = folders[index % people.length] ?? ''
        const deeds = [
          () => insist(() => join(who, group.number)),
          () => insist(() => give(who, groupId, id)),
          () => insist(() => server.call('files/exitGroup', { groupId }, who)),
          () => insist(() => server.call('files/removeMember', { groupId, memberId: who.userId }, owner)),
        ]
        return (deeds[Math.floor(index / people.length) % deeds.length] ?? deeds[0])?.()
      }),
    )
    const internal = answers.filter((answer) => answer && answer.status !== 200)
    expect(internal).toEqual([])
    const { rows } = await server.ctx.pool.query(
      `select s.id from file_shares s
       where s.group_id = $1 and not exists (
         select from file_group_members m where m.group_id = s.group_id and m.user_id = s.owner_id
       )`,
      [groupId],
    )
    expect(rows).toEqual([])
  })
})

// Last: tries of this address count for a while.
describe('guessing', () => {
  it('passwords is slowed for the member', async () => {
    const [owner, friend] = [await member(), await member()]
    const group = await found(owner, 'let me in')
    const tries = await Promise.all(
      Array.from({ length: limits.groupTries + 5 }, () => join(friend, group.number, 'wrong')),
    )
    const errors = tries.map(({ data }) => data.error)
    expect(errors.filter((one) => one === 'access_password_wrong')).toHaveLength(limits.groupTries)
    expect((await join(friend, group.number, 'let me in')).data.error).toBe('tries_wait')
    server.forward(limits.groupTriesMs)
    expect((await join(friend, group.number, 'let me in')).code).toBe(10200)
  })

  it('numbers is slowed for the member and for the address', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => member()))
    const tries = people.flatMap((who) =>
      Array.from({ length: 12 }, (_, index) =>
        server.call('files/findGroup', { number: String(100_000 + index) }, who),
      ),
    )
    const errors = (await Promise.all(tries)).map(({ data }) => data.error)
    expect(errors.filter((one) => one === 'group_missing')).toHaveLength(limits.groupTriesPerAddress)
    expect(errors.filter((one) => one === 'tries_wait')).toHaveLength(96 - limits.groupTriesPerAddress)
  })
})
