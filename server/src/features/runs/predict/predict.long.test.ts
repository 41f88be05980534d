/** Predictions that are made again, and one whose worker and engine are killed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Body } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { idAt } from '../../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import {
  endAtOnce,
  gone,
  hasEnded,
  makeTrainingSet,
  spawnWorker,
  startQuick,
  type TrainingSet,
  until,
} from '../../../../test/training.ts'
import { type TestFile, upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { cellKinds, drawCell, drawField } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { folderOf } from '../queue/folder.ts'
import { type Runner, startRunner } from '../queue/jobs.ts'
import { runs } from '../tables.ts'

let server: TestServer
let owner: Awaited<ReturnType<TestServer['signUp']>>
let runner: Runner | null = null
let classes: TrainingSet
let trainedId: string

beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp({ vipLevel: 4 })
  classes = await makeTrainingSet(server, owner, { items: 30 })
  begin()
  const run = await startQuick(server, owner, { set: classes, hyper: { epochs: 1 } })
  trainedId = (await ended(run.id)).id
})
// A test that failed while the queue rested leaves the next ones nobody to run for them.
afterEach(() => {
  if (runner === null) begin()
})
afterAll(async () => {
  await runner?.stop()
  await server.close()
})

const begin = (): void => {
  runner = startRunner(makeWorker(server))
}
const rest = async (): Promise<void> => {
  await runner?.stop()
  runner = null
}
const ended = (id: string) => until(server, owner, { id, is: hasEnded })
const predict = (body: Body<'runs/predict'>, session: Session = owner) =>
  server.call('runs/predict', body, session)
const cell = (name: string, seed = 9): TestFile => ({
  path: name,
  bytes: encodePng(drawCell(cellKinds[seed % cellKinds.length] ?? 'round', 7000 + seed, 32)),
})
const text = (path: string, bytes = 'no picture'): TestFile => ({ path, bytes: Buffer.from(bytes) })
const put = async (files: TestFile[], session: Session = owner): Promise<string> =>
  (await upload(server, session, { files })) ?? ''
const csvOf = async (id: string): Promise<string> => {
  const { data } = await server.call('runs/download', { id, kind: 'predictions_csv' }, owner)
  return (await fetch(`${server.url}${data.url}`)).text()
}

describe('a prediction', () => {
  it('is made again of the same files, by whoever may still look at them', async () => {
    const folderId = await put([cell('again/a.png', 5), cell('again/b.png', 6), text('again/notes.txt')])
    const { data: run } = await predict({ id: trainedId, folderId })
    expect((await server.call('runs/rerun', { id: run.id }, owner)).data.error).toBe('run_not_ended')
    const first = await ended(run.id)
    await server.call('files/remove', { ids: [await idAt(server, owner, 'again/a.png')] }, owner)
    await upload(server, owner, { files: [cell('c.png', 7)], parentId: folderId })

    await rest()
    const { data: again } = await server.call('runs/rerun', { id: run.id }, owner)
    expect(again).toMatchObject({ kind: 'predict', parentId: trainedId, datasetName: 'again', artifacts: [] })
    expect(again.number).toBeGreaterThan(first.number)
    // One like it has ended here: how long it takes is known.
    expect(again.takes).toMatchObject({ isSure: true })
    begin()
    expect(await ended(again.id)).toMatchObject({ state: 'done', counts: { predicted: 1, bad: 1 } })
    const { data: page } = await server.call('runs/items', { id: again.id }, owner)
    expect(page.items.map(({ name }) => name)).toEqual(['b.png'])
    const { data: aside } = await server.call('runs/setAside', { id: again.id }, owner)
    expect(aside.setAside).toEqual([
      { name: 'notes.txt', reason: 'other_kind' },
      { name: 'a.png', reason: 'missing' },
    ])

    const stranger = await server.signUp({ vipLevel: 4 })
    expect((await server.call('runs/rerun', { id: run.id }, stranger)).data.error).toBe('run_missing')
    await server.call('files/remove', { ids: [folderId] }, owner)
    expect((await server.call('runs/rerun', { id: run.id }, owner)).data.error).toBe('prediction_gone')
    await server.ctx.db.update(runs).set({ parentId: null }).where(eq(runs.id, run.id))
    expect((await server.call('runs/rerun', { id: run.id }, owner)).data.error).toBe('weights_gone')
  })

  it('goes on where it was when its worker and engine are killed', async () => {
    await rest()
    const bytes = encodePng(drawField(5, 240).image)
    // Many batches: the first is written down long before the last, on a busy machine too.
    const names = Array.from({ length: 400 }, (_, index) => `large/${index}.png`)
    const folderId = await put(names.map((path) => ({ path, bytes })))
    const { data: run } = await predict({ id: trainedId, folderId })
    const folder = folderOf(server.ctx, run.id)
    const first = await spawnWorker(server)
    await vi.waitFor(
      async () => expect((await readFile(join(folder, 'out/journal.jsonl'))).length).toBeGreaterThan(0),
      { timeout: 120_000, interval: 10 },
    )
    const engine = Number(await readFile(join(folder, 'engine.pid'), 'utf8'))
    first.kill('SIGKILL')
    endAtOnce(-engine)
    await gone(first)
    const done = (await readFile(join(folder, 'out/journal.jsonl'), 'utf8')).split('\n').length
    const second = await spawnWorker(server)
    const whole = await ended(run.id)
    second.kill('SIGTERM')
    await gone(second)
    expect(done).toBeLessThan(400)
    expect(whole).toMatchObject({ state: 'done', resumed: 1, counts: { predicted: 400, bad: 0 } })
    expect((await csvOf(run.id)).trim().split('\r\n')).toHaveLength(401)
  })
})
