/** Workers and engines that stop, sleep, or are killed again and again, and a member who stops a training: with real trainings. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { crashStage, hyper, isPast, weightsOf } from '../../../../test/crash-runs.ts'
import {
  endAtOnce,
  freeze,
  gone,
  hasEnded,
  spawnWorker,
  startQuick,
  until,
} from '../../../../test/training.ts'
import { runs } from '../tables.ts'
import { folderOf } from './folder.ts'

const at = crashStage()

const enginePid = (id: string): Promise<number> =>
  vi.waitFor(
    async () => {
      const pid = Number(await readFile(join(folderOf(at.server.ctx, id), 'engine.pid'), 'utf8'))
      if (!pid) throw new Error('no engine yet')
      return pid
    },
    { timeout: 120_000 },
  )

describe('a worker', () => {
  it('that is stopped in good order puts its run back, which then goes on', async () => {
    const first = await spawnWorker(at.server)
    const { id } = await startQuick(at.server, at.session, { set: at.set, hyper })
    await until(at.server, at.session, { id, is: isPast(2) })
    first.kill('SIGTERM')
    await gone(first)
    expect(first.exitCode).toBe(0)
    const [row] = await at.server.ctx.db.select().from(runs).where(eq(runs.id, id))
    expect(row).toMatchObject({ state: 'queued', losses: 0, worker: null })

    const second = await spawnWorker(at.server)
    const done = await until(at.server, at.session, { id, is: hasEnded })
    expect(weightsOf(done)).toBe(at.unbroken)
    second.kill('SIGTERM')
    await gone(second)
  })

  it('that slept past its lease cannot write any more', async () => {
    const first = await spawnWorker(at.server)
    const { id } = await startQuick(at.server, at.session, { set: at.set, hyper })
    await until(at.server, at.session, { id, is: isPast(2) })
    await freeze(at.server, first)
    await at.server.ctx.db
      .update(runs)
      .set({ leaseUntil: new Date(0) })
      .where(eq(runs.id, id))

    const second = await spawnWorker(at.server)
    await until(at.server, at.session, { id, is: (run) => run.resumed === 1 })
    first.kill('SIGCONT')
    const done = await until(at.server, at.session, { id, is: hasEnded })
    expect(done).toMatchObject({ state: 'done', resumed: 1 })
    expect(weightsOf(done)).toBe(at.unbroken)
    expect(await eventsOf(id, 'end')).toHaveLength(1)
    for (const worker of [first, second]) {
      worker.kill('SIGTERM')
      await gone(worker)
    }
  })
})

describe('an engine', () => {
  it('that is killed three times without getting further fails its run, and the queue goes on', async () => {
    const worker = await spawnWorker(at.server)
    const poisoned = await startQuick(at.server, at.session, {
      set: at.set,
      hyper: { ...hyper, epochs: 500 },
    })
    const next = await startQuick(at.server, at.session, { set: at.set, hyper: { epochs: 1 } })
    let last = 0
    for (let kill = 0; kill < 3; kill += 1) {
      const pid = await vi.waitFor(
        async () => {
          const found = await enginePid(poisoned.id)
          if (found === last) throw new Error('still the one before')
          return found
        },
        { timeout: 120_000 },
      )
      endAtOnce(pid)
      last = pid
    }
    const failed = await until(at.server, at.session, { id: poisoned.id, is: hasEnded })
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'program_terminated', params: {} } })
    const done = await until(at.server, at.session, { id: next.id, is: hasEnded })
    expect(done.state).toBe('done')
    worker.kill('SIGTERM')
    await gone(worker)
  })
})

describe('a member', () => {
  it('who stops a run in the middle of an epoch keeps what it learned', async () => {
    const worker = await spawnWorker(at.server)
    const { id } = await startQuick(at.server, at.session, { set: at.set, hyper: { ...hyper, epochs: 500 } })
    await until(at.server, at.session, { id, is: isPast(6) })
    await at.server.call('runs/stop', { id }, at.session)
    const stopped = await until(at.server, at.session, { id, is: hasEnded })
    expect(stopped).toMatchObject({ state: 'stopped', error: null, stopping: false })
    expect(stopped.artifacts.map(({ kind }) => kind)).toContain('weights')
    expect(stopped.score).not.toBeNull()

    const { data: test } = await at.server.call('runs/test', { id, datasets: [at.set.datasetId] }, at.session)
    expect(await until(at.server, at.session, { id: test.id, is: hasEnded })).toMatchObject({ state: 'done' })
    worker.kill('SIGTERM')
    await gone(worker)
  })
})

const eventsOf = async (id: string, type: string) =>
  (await at.server.ctx.live.after(`run:${id}`, 0)).filter((event) => event.type === type)
