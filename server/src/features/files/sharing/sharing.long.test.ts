/** Many who share and withdraw at once. */
import { planLimits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { insist, makeFolder } from '../../../../test/sharing.ts'

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

describe('many at once', () => {
  it('share and withdraw leave one row or none', async () => {
    const [owner, friend] = [await silver(), await silver()]
    const id = await makeFolder(server, owner, 'scans')
    const withdraw = async () => {
      const { shares } = (await insist(() => server.call('files/shares', { id }, owner))).data
      const shareIds = shares.map((one) => one.id)
      return shareIds.length === 0 ? null : insist(() => server.call('files/unshare', { shareIds }, owner))
    }
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? insist(() => share(owner, id, friend)) : withdraw(),
      ),
    )
    const errors = answers.flatMap((answer) => (answer && 'error' in answer.data ? [answer.data.error] : []))
    expect(new Set(errors)).toEqual(
      new Set([...errors].filter((one) => one === 'share_twice' || one === 'missing')),
    )
    const { rows } = await server.ctx.pool.query('select id from file_shares where entry_id = $1', [id])
    const { rows: written } = await server.ctx.pool.query(
      `select action, count(*)::int as count from file_records where entry_id = $1 and action in ('share', 'unshare') group by action`,
      [id],
    )
    const deeds = Object.fromEntries(written.map(({ action, count }) => [action, count]))
    expect(rows.length).toBeLessThanOrEqual(1)
    expect(deeds.share).toBeGreaterThan(0)
    expect((deeds.share ?? 0) - (deeds.unshare ?? 0)).toBe(rows.length)
  })

  const known: unknown[] = [undefined, 'share_limit', 'shared_datasets_limit', 'share_twice']

  it('never pass the limits of things and accounts', async () => {
    const owner = await server.signUp({ vipLevel: 2 })
    const { shareAccounts, sharedDatasets } = planLimits({ vipLevel: 2, vipSuper: 0 })
    const friends = await Promise.all(Array.from({ length: 40 }, () => server.signUp({ password: null })))
    const folders = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => makeFolder(server, owner, name)),
    )
    const wishes = folders.flatMap((id) => friends.map((friend) => ({ id, friend })))
    const answers = await Promise.all(wishes.map(({ id, friend }) => insist(() => share(owner, id, friend))))
    // On a loaded machine an answer may come too late for a deed that was done: the rows tell.
    const errors = new Set(answers.map(({ data }) => data.error))
    expect([...errors].filter((one) => !known.includes(one))).toEqual([])
    const { rows } = await server.ctx.pool.query(
      'select count(distinct entry_id)::int as things, count(*)::int as shares from file_shares where owner_id = $1',
      [owner.userId],
    )
    expect(rows).toEqual([{ things: sharedDatasets, shares: (shareAccounts ?? 0) * (sharedDatasets ?? 0) }])
  })
})
