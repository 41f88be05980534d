import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backups as limits } from '@neuroloom/contract/limits'
import type { BackupPlan } from '@neuroloom/contract/office/operations'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import type { Context } from '../../infra/context.ts'
import { notices } from '../../infra/notices.ts'
import { followPlan, makeOne, recover, testOne } from './backup-jobs.ts'
import { backupPlan, backups } from './tables.ts'

const HOUR_MS = 3_600_000

let server: TestServer
let ctx: Context
let chief: Session
let folder: string
let sent: [string, string][]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-backups-'))
  server = await makeServer({ backupDir: folder })
  chief = await server.signUp({ role: 2 })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  sent = []
  ctx = {
    ...server.ctx,
    jobs: {
      ...server.ctx.jobs,
      send: async (_tx, name, data) => {
        if ('backupId' in data) sent.push([name, data.backupId])
      },
    },
  }
  await ctx.db.delete(backups)
  await ctx.db.delete(notices)
  await plan({ every: 'never', hour: 1, keep: 7 })
})

const plan = (wish: BackupPlan) => ctx.db.update(backupPlan).set(wish)
const ask = async (): Promise<string> => {
  expect(await server.call('office/backup', {}, chief)).toMatchObject({ code: 10200 })
  return (await only()).id
}
const listed = async () => (await server.call('office/backups', {}, chief)).data.backups
const only = async () => {
  const [first, ...others] = await listed()
  if (!first || others.length > 0) throw new Error(`there are ${others.length + (first ? 1 : 0)} backups`)
  return first
}
const told = async () =>
  (await ctx.db.select().from(notices).where(eq(notices.userId, chief.userId))).map(({ kind }) => kind)
/** As a worker leaves it that is ended while it makes a backup. */
const leaveRunning = (id: string, attempts: number) =>
  ctx.db.update(backups).set({ state: 'running', attempts }).where(eq(backups.id, id))

describe('a backup that an administrator asks for', () => {
  it('is made, is restored for a test, and is told with what it holds', async () => {
    const id = await ask()
    expect(await server.call('office/backup', {}, chief)).toMatchObject({ data: { error: 'backup_running' } })
    await makeOne(ctx, id)
    expect(await only()).toMatchObject({ state: 'done', isByHand: true, problem: null, missingCount: 0 })
    expect((await only()).rowCount).toBeGreaterThan(0)
    await server.call('office/testBackup', { id }, chief)
    await testOne(ctx, id)
    expect((await only()).test).toMatchObject({ state: 'passed', problem: null })
    expect(await told()).toEqual([])
  })

  it('fails with its reason where it cannot be written, and administrators are told', async () => {
    const id = await ask()
    const { name } = await only()
    await writeFile(join(folder, name), 'a file where the folder should be')
    await makeOne(ctx, id)
    expect(await only()).toMatchObject({ state: 'failed', problem: expect.stringMatching(/\S/) })
    expect(await told()).toEqual(['backup_failed'])
    expect(await readdir(folder)).not.toContain(name)
  })

  it('whose bytes are damaged fails its test, and administrators are told', async () => {
    const id = await ask()
    await makeOne(ctx, id)
    await writeFile(join(folder, (await only()).name, 'manifest.json'), '{}')
    await server.call('office/testBackup', { id }, chief)
    await testOne(ctx, id)
    expect((await only()).test).toMatchObject({ state: 'failed', problem: expect.stringMatching(/\S/) })
    expect(await told()).toEqual(['backup_test_failed'])
  })
})

describe('a worker that is ended', () => {
  it('is followed by another, and the backup comes to its end', async () => {
    const id = await ask()
    await leaveRunning(id, 1)
    await recover(ctx)
    expect(sent).toEqual([['backup.make', id]])
    await makeOne(ctx, id)
    expect((await only()).state).toBe('done')
    await server.call('office/testBackup', { id }, chief)
    await recover(ctx)
    expect(sent.slice(1)).toEqual([['backup.test', id]])
  })

  it('each time leaves a backup that failed, and others can be made', async () => {
    const id = await ask()
    await leaveRunning(id, limits.mostTries)
    await makeOne(ctx, id)
    expect(await only()).toMatchObject({ state: 'failed', problem: expect.stringContaining('3 times') })
    await recover(ctx)
    expect(sent).toEqual([])
    expect(await server.call('office/backup', {}, chief)).toMatchObject({ code: 10200 })
  })
})

describe('the plan', () => {
  const noon = new Date('2026-03-04T12:00:00Z')
  const at = (hours: number): Context => ({ ...ctx, now: () => new Date(noon.getTime() + hours * HOUR_MS) })
  const askedAt = async () => (await listed()).map((one) => one.askedAt)
  const close = (state: 'done' | 'failed') => ctx.db.update(backups).set({ state, endedAt: noon })

  it('asks once a period', async () => {
    await plan({ every: 'day', hour: 10, keep: 7 })
    await followPlan(at(0))
    await close('done')
    for (const hours of [1, 21, 22, 23]) await followPlan(at(hours))
    expect(await askedAt()).toEqual(['2026-03-05T10:00:00.000Z', '2026-03-04T12:00:00.000Z'])
  })

  it.each(['day', 'week'] as const)(
    'tries again three times a day where it failed (every %s)',
    async (every) => {
      await plan({ every, hour: 10, keep: 7 })
      for (let quarter = 0; quarter < 4 * 23; quarter += 1) {
        await followPlan(at(quarter / 4))
        await close('failed')
      }
      expect(await askedAt()).toEqual([
        '2026-03-05T10:00:00.000Z',
        '2026-03-04T14:00:00.000Z',
        '2026-03-04T13:00:00.000Z',
        '2026-03-04T12:00:00.000Z',
      ])
    },
  )

  it('keeps as many whole ones as it says, and the newest that failed', async () => {
    await plan({ every: 'day', hour: 10, keep: 2 })
    await ctx.db.insert(backups).values(
      Array.from({ length: 30 }, (_, index) => ({
        id: `old${index}`,
        name: `backup-old-${index}`,
        state: index < 25 ? ('failed' as const) : ('done' as const),
        askedAt: new Date(noon.getTime() - index * HOUR_MS),
      })),
    )
    await followPlan(at(48))
    const [newest] = await listed()
    await makeOne(ctx, newest?.id ?? '')
    const left = await listed()
    expect(left.filter(({ state }) => state === 'done').map(({ name }) => name)).toEqual([
      newest?.name,
      'backup-old-25',
    ])
    expect(left.filter(({ state }) => state === 'failed')).toHaveLength(limits.mostFailedKept)
  })
})
