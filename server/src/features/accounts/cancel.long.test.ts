/** Accounts that are closed while the real worker runs. */
import { readdir } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import { gone, makeTrainingSet, spawnWorker, startQuick, until } from '../../../test/training.ts'
import { runsFolder } from '../runs/queue/folder.ts'
import { runs } from '../runs/tables.ts'
import { users } from './tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const cancel = (who: Session | null, password = PASSWORD) => server.call('user/cancel', { password }, who)

describe('with the real worker', () => {
  const workers: Awaited<ReturnType<typeof spawnWorker>>[] = []

  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.kill('SIGKILL')
      await gone(worker)
    }
  })

  const start = async () => {
    const worker = await spawnWorker(server)
    workers.push(worker)
    return worker
  }

  const isGone = async (userId: string): Promise<number> => server.ctx.db.$count(users, eq(users.id, userId))

  test('a run under way is ended, its folder goes, and the next member is served', async () => {
    const [me, other] = [await server.signUp({ vipLevel: 4 }), await server.signUp({ vipLevel: 4 })]
    const mine = await makeTrainingSet(server, me, { items: 24 })
    const run = await startQuick(server, me, { set: mine, hyper: { epochs: 500 } })
    const queued = await startQuick(server, me, { set: mine })
    await start()
    await until(server, me, { id: run.id, is: ({ progress }) => (progress?.epoch ?? 0) > 1 })
    await cancel(me)
    await expect.poll(() => isGone(me.userId), { timeout: 120_000 }).toBe(0)
    expect(await server.ctx.db.$count(runs, eq(runs.userId, me.userId))).toBe(0)
    await expect
      .poll(
        async () => (await readdir(runsFolder(server.ctx))).filter((id) => [run.id, queued.id].includes(id)),
        {
          timeout: 120_000,
        },
      )
      .toEqual([])
    const theirs = await makeTrainingSet(server, other, { items: 12 })
    const next = await startQuick(server, other, { set: theirs })
    await until(server, other, { id: next.id, is: ({ state }) => state === 'done' })
  })

  test('a worker that is killed leaves the rest to the next one', async () => {
    const me = await server.signUp({ vipLevel: 4 })
    await makeTrainingSet(server, me, { items: 12 })
    await cancel(me)
    // As if the first worker had taken the job and died with it.
    await server.ctx.pool.query(
      `update pgboss.job set state = 'active', started_on = now()
       where name = 'accounts.erase' and data->>'userId' = $1`,
      [me.userId],
    )
    await start()
    await expect.poll(() => isGone(me.userId), { timeout: 120_000 }).toBe(0)
  })
})
