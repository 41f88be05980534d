/** Workers that die, files that go or change, disks and clouds that are full, and what is left of a study in the end. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agreed, type FlowTest, makeFlowTest, niftis, scanned } from '../../../test/flow.ts'
import type { Session } from '../../../test/harness.ts'
import { unzip } from '../../../test/unzip.ts'
import { LostLease } from '../../infra/lease.ts'
import { createRoom } from '../../infra/room.ts'
import { sweepOrphans } from '../../infra/storage/blobs.ts'
import { eraseOf } from './erase.ts'
import { keepStudy } from './keep.ts'
import { claim, leases, recover } from './lease.ts'
import { work } from './work.ts'

/** The disk as the server is told of it. */
const disk = { freeBytes: 1e12, totalBytes: 1e12 }
let at: FlowTest
beforeAll(async () => {
  const room = createRoom({ folder: '/', minFreeBytes: 2e9, probe: async () => ({ ...disk }), knownMs: 0 })
  at = await makeFlowTest({ room })
})
afterAll(() => at.close())

const query = (text: string, ...values: unknown[]) => at.server.ctx.pool.query(text, values)
/** As after the time in which a killed worker's lease ends. */
const endLease = (id: string) =>
  query(`update flow_studies set lease_until = now() - interval '1 minute' where id = $1`, id)

async function asked(me: Session): Promise<string> {
  const { data } = await at.server.call('flow/open', { ids: [await at.put(me, niftis())] }, me)
  return data.id
}
async function settled(me: Session): Promise<string> {
  const found = await at.done(me, await asked(me))
  await at.server.call('flow/settle', { id: found.id, answer: agreed(found) }, me)
  return found.id
}

it.each([
  ['looked at', asked, 'looking', 'asked'],
  ['made', settled, 'making', 'ready'],
] as const)(
  'a study whose worker died is %s by another one, and the dead one writes nothing more',
  async (_, begin, during, after) => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const id = await begin(me)
    const dead = await claim(at.server.ctx, id)
    if (!dead) throw new Error('Nobody got the work')
    // While the lease lasts it is nobody else's.
    await work(at.worker, id)
    expect((await at.look(me, id)).state).toBe(during)
    for (const call of ['flow/retry', 'flow/settle'] as const) {
      const busy = await at.server.call(call, { id, answer: { series: [] } }, me)
      expect(busy.data).toMatchObject({ error: 'study_busy' })
    }
    await query('update flow_studies set reserved_bytes = 1000 where id = $1', id)
    await query('update user_storage set reserved_bytes = 1000 where user_id = $1', me.userId)
    await endLease(id)
    await recover(at.server.ctx)
    expect((await at.done(me, id)).state).toBe(after)
    expect((await at.used(me)).reserved).toBe(0)
    await expect(at.server.ctx.db.transaction((tx) => leases.hold(tx, dead))).rejects.toThrow(LostLease)
  },
)

it('a study that ends every worker is given up, and may be tried again', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const id = await settled(me)
  for (let tries = 0; tries < 3; tries += 1) {
    expect(await claim(at.server.ctx, id)).not.toBeNull()
    await endLease(id)
  }
  expect(await at.done(me, id)).toMatchObject({ state: 'failed', failure: 'internal', values: null })
  expect((await at.server.call('flow/retry', { id }, me)).data.state).toBe('making')
  expect((await at.done(me, id)).state).toBe('ready')
})

it('a study that is removed while it is made takes its work with it', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const id = await settled(me)
  const held = await claim(at.server.ctx, id)
  const { used } = await at.used(me)
  await at.server.call('flow/remove', { id }, me)
  if (!held) throw new Error('Nobody got the work')
  await expect(at.server.ctx.db.transaction((tx) => leases.hold(tx, held))).rejects.toThrow(LostLease)
  expect(await at.used(me)).toEqual({ used, reserved: 0 })
})

it('files that go leave a study that is made, and none to be made', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const id = await settled(me)
  const { fromId } = await at.look(me, id)
  await at.server.call('files/remove', { ids: [fromId ?? ''] }, me)
  expect(await at.done(me, id)).toMatchObject({ state: 'failed', failure: 'missing', fromId: null })
  const { look } = await at.look(me, id)
  for (const call of ['flow/retry', 'flow/settle'] as const) {
    const body = { id, answer: agreed({ ...(await at.look(me, id)), look }) }
    expect((await at.server.call(call, body, me)).data).toMatchObject({ error: 'missing' })
  }
})

it('files that became others are looked at anew before anything is made of them', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const id = await settled(me)
  const { 'vel_z.nii': _, ...fewer } = niftis()
  await at.put(me, { 'vel_w.nii': fewer['vel_x.nii'] ?? Buffer.alloc(0) })
  const anew = await at.done(me, id)
  expect(anew).toMatchObject({ state: 'asked', failure: null, problems: [{ reason: 'files_changed' }] })
  expect(anew.look?.series).toHaveLength(5)
  const answer = agreed(anew)
  const beside = new Set(anew.look?.series.filter(({ name }) => name.includes('vel_w')).map((one) => one.id))
  for (const one of answer.series) if (beside.has(one.id)) one.role = 'unused'
  for (const [index, one] of answer.series.filter(({ role }) => role === 'velocity').entries())
    one.direction = (['+x', '+y', '+z'] as const)[index] ?? '+z'
  const { message, code } = await at.server.call('flow/settle', { id, answer }, me)
  expect([code, message]).toEqual([10200, expect.anything()])
  expect(await at.done(me, id)).toMatchObject({ state: 'ready', problems: [] })
})

it('a cloud or a disk without room refuses before anything is made', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const id = await settled(me)
  const { used } = await at.used(me)
  await query('update user_storage set used_bytes = $2 where user_id = $1', me.userId, 1e15)
  expect(await at.done(me, id)).toMatchObject({ state: 'failed', failure: 'storage_full' })
  expect((await at.used(me)).reserved).toBe(0)
  await query('update user_storage set used_bytes = $2 where user_id = $1', me.userId, used)
  await at.server.call('flow/retry', { id }, me)
  disk.freeBytes = 2e9 - 1
  try {
    expect(await at.done(me, id)).toMatchObject({ state: 'failed', failure: 'disk_full' })
    expect((await at.server.call('flow/retry', { id }, me)).data).toMatchObject({ error: 'disk_full' })
    const begun = await at.server.call('flow/phantom', { phantom: 'abc' }, me)
    expect(begun.data).toMatchObject({ error: 'disk_full' })
    const { fromId } = await at.look(me, id)
    const opened = await at.server.call('flow/open', { ids: [fromId ?? ''] }, me)
    expect(opened.data).toMatchObject({ error: 'disk_full' })
  } finally {
    disk.freeBytes = 1e12
  }
  await at.server.call('flow/retry', { id }, me)
  expect((await at.done(me, id)).state).toBe('ready')
  expect(await at.used(me)).toMatchObject({ reserved: 0, used: used + (await at.look(me, id)).sizeBytes })
})

it('bytes that are no study are never taken for one', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const id = await settled(me)
  const held = await claim(at.server.ctx, id)
  if (!held) throw new Error('Nobody got the work')
  await expect(keepStudy(at.server.ctx, held, { path: import.meta.filename, problems: [] })).rejects.toThrow()
  expect((await at.look(me, id)).state).toBe('making')
})

it('a study is in its owner’s archive with its file, and gone with the account, bytes and all', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const before = await at.used(me)
  const made = await at.make(me, await at.open(me, await at.put(me, scanned('philips'), 'Bogen')))
  const bytes = Buffer.from(await (await fetch(at.server.url + made.values)).arrayBuffer())
  const { url } = (await at.server.call('user/export', {}, me)).data
  const archive = await unzip(Buffer.from(await (await fetch(at.server.url + url)).arrayBuffer()))
  expect(JSON.parse(archive.get('flow-studies.json')?.bytes.toString() ?? 'null')).toMatchObject([
    { id: made.id, name: 'Bogen', look: { source: 'dicom' }, answer: made.answer, head: made.head },
  ])
  expect(archive.get('flow/Bogen.safetensors')?.bytes.equals(bytes)).toBe(true)

  const isKept = async (): Promise<boolean> =>
    (await query('select 1 from blobs where sha256 = $1', made.values?.match(/sha256=(\w+)/)?.[1]))
      .rowCount === 1
  at.server.forward(3_600_000)
  await query(`update blobs set created_at = created_at - interval '1 day'`)
  await sweepOrphans(at.server.ctx)
  expect(await isKept()).toBe(true)
  await eraseOf(at.server.ctx, me.userId)
  await eraseOf(at.server.ctx, me.userId)
  expect((await query('select * from flow_studies where owner_id = $1', me.userId)).rows).toEqual([])
  await sweepOrphans(at.server.ctx)
  expect(await isKept()).toBe(false)
  const files = Object.values(scanned('philips')).reduce((sum, { length }) => sum + length, 0)
  expect(await at.used(me)).toEqual({ reserved: 0, used: before.used + files })
})
