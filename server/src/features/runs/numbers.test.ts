import { readFile } from 'node:fs/promises'
import type { Run } from '@neuroloom/contract/runs'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { cell } from '../../../test/prediction-stage.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../test/training.ts'
import { upload } from '../../../test/uploads.ts'
import { allRuns, runArtifacts, runInputs, runNumbers } from './tables.ts'

let server: TestServer
let session: Session
let set: TrainingSet

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session)
})
afterAll(() => server.close())

it('numbers each kind of run by itself, and gives no number twice to runs that start at the same moment', async () => {
  const first = await trained()
  const test = () => server.call('runs/test', { id: first.id, datasets: [set.datasetId] }, session)
  const folderId = (await upload(server, session, { files: [cell('new/a.png')] })) ?? ''
  const [trainings, tests, prediction] = await Promise.all([
    Promise.all([1, 2, 3].map(() => startQuick(server, session, { set }))),
    Promise.all([1, 2, 3].map(test)),
    server.call('runs/predict', { id: first.id, folderId }, session),
  ])
  expect(first.number).toBe(1)
  expect(trainings.map(({ number }) => number).sort()).toEqual([2, 3, 4])
  expect(tests.map(({ data }) => data.number).sort()).toEqual([1, 2, 3])
  expect(prediction.data).toMatchObject({ kind: 'predict', number: 1 })

  // The number of a deleted run never comes back.
  const last = tests.find(({ data }) => data.number === 3)?.data.id ?? ''
  expect((await server.call('runs/remove', { id: last }, session)).code).toBe(10200)
  expect((await test()).data.number).toBe(4)
})

it('goes on after the numbers of runs from before kinds were counted, which keep theirs', async () => {
  const other = await makeTrainingSet(server, session, { name: 'other' })
  const whole = [await startQuick(server, session, { set }), await trained()]
  const parted = [await trained(other), await startQuick(server, session, { set: other })]
  const [, tested] = whole
  const { data: test } = await server.call(
    'runs/test',
    { id: tested?.id ?? '', datasets: [set.datasetId] },
    session,
  )
  const isKept = new Set([...whole, ...parted, test].map(({ id }) => id))
  for (const { id } of await server.ctx.db.select().from(allRuns))
    if (!isKept.has(id)) await server.ctx.db.delete(allRuns).where(eq(allRuns.id, id))
  await asBefore([
    { projectId: set.projectId, ids: [...whole.map(({ id }) => id), test.id], last: 3 },
    // A run with the number 3 was deleted, and nobody knows of which kind it was.
    { projectId: other.projectId, ids: parted.map(({ id }) => id), last: 3 },
  ])

  const migration = new URL('../../../migrations/113_run_numbers.sql', import.meta.url)
  await server.ctx.pool.query(await readFile(migration, 'utf8'))

  const { data } = await server.call('runs/list', { projectId: set.projectId }, session)
  expect(data.runs.map(({ kind, number }) => `${kind} ${number}`)).toEqual(['test 3', 'train 2', 'train 1'])
  const next = async (training: Run | undefined, datasetId: string) =>
    (await server.call('runs/test', { id: training?.id ?? '', datasets: [datasetId] }, session)).data.number
  expect((await startQuick(server, session, { set })).number).toBe(3)
  expect(await next(tested, set.datasetId)).toBe(4)
  expect((await startQuick(server, session, { set: other })).number).toBe(4)
  expect(await next(parted[0], other.datasetId)).toBe(4)
})

/** A training that has left weights, without a worker: what they hold is not looked at. */
async function trained(of = set): Promise<Run> {
  const run = await startQuick(server, session, { set: of })
  const { db } = server.ctx
  await db.update(allRuns).set({ state: 'done', endedAt: new Date() }).where(eq(allRuns.id, run.id))
  const [inputs] = await db.select().from(runInputs).where(eq(runInputs.runId, run.id))
  const sha256 = inputs?.manifestSha256 ?? ''
  await db.insert(runArtifacts).values({ runId: run.id, kind: 'weights', sha256, sizeBytes: 1 })
  return run
}

/** As the tables were while all kinds of a project shared one counter. */
async function asBefore(projects: { projectId: string; ids: string[]; last: number }[]): Promise<void> {
  const { pool, db } = server.ctx
  await db.delete(runNumbers)
  await pool.query(`
    alter table run_numbers drop constraint run_numbers_pkey;
    alter table run_numbers drop column kind;
    alter table run_numbers add primary key (project_id)`)
  for (const { projectId, ids, last } of projects) {
    for (const [index, id] of ids.entries())
      await db
        .update(allRuns)
        .set({ number: index + 1 })
        .where(eq(allRuns.id, id))
    await pool.query('insert into run_numbers (project_id, last) values ($1, $2)', [projectId, last])
  }
}
