import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import {
  addDataset,
  hasEnded,
  makeTrainingSet,
  startQuick,
  type TrainingSet,
  until,
} from '../../../test/training.ts'
import { makeWorker } from '../../../test/worker.ts'
import { datasets } from '../datasets/tables.ts'
import { type Runner, startRunner } from './queue/jobs.ts'
import { runInputs } from './tables.ts'

let server: TestServer
let session: Session
let runner: Runner

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipLevel: 4 })
  runner = startRunner(makeWorker(server))
})
afterAll(async () => {
  await runner.stop()
  await server.close()
})

const ended = (id: string) => until(server, session, { id, is: hasEnded })
const fetchBytes = async (url: string | null) => {
  const response = await fetch(`${server.url}${url}`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Two layers behind the logits multiply them beyond what a number holds: a loss that cannot be one, at once. */
async function explode(runId: string): Promise<void> {
  const [row] = await server.ctx.db.select().from(runInputs).where(eq(runInputs.runId, runId))
  const head = row?.plan.heads.main
  const logits = row?.plan.nodes.find(({ id }) => id === head?.from)
  if (!row || !head || !logits) throw new Error('The run has no plan')
  const params = { value: 1e38, learn: 'no' }
  const layer = (id: string, from: string) => ({
    ...logits,
    ...{ id, op: 'scale', in: { x: from }, params, learn: 0, macs: 0 },
  })
  const nodes = [...row.plan.nodes, layer('blow', logits.id), layer('up', 'blow')]
  const plan = { ...row.plan, nodes, heads: { main: { ...head, from: 'up' } } }
  await server.ctx.db.update(runInputs).set({ plan }).where(eq(runInputs.runId, runId))
}

describe('classification', () => {
  let set: TrainingSet
  let trainedId: string

  beforeAll(async () => {
    set = await makeTrainingSet(server, session, { items: 30, name: '细胞 nuclei' })
  })

  it('trains, with curves, previews and a model to take away', async () => {
    const run = await startQuick(server, session, { set })
    expect(run).toMatchObject({ kind: 'train', number: 1, stopping: false })
    const done = await ended(run.id)
    trainedId = run.id

    expect(done).toMatchObject({ state: 'done', error: null, resumed: 0, position: null, phase: 'exporting' })
    expect(done.metrics.accuracy).toBe(done.score)
    expect(done.confusion).toHaveLength(3)
    expect(done.perClass.map((row) => row.class)).toEqual(['clustered', 'elongated', 'round'])
    expect(done.artifacts.map(({ kind }) => kind).sort()).toEqual(['onnx', 'torchscript', 'weights'])

    const { data } = await server.call('runs/detail', { id: run.id }, session)
    expect(data.curves.map(({ epoch, split }) => `${epoch} ${split}`)).toEqual([
      '1 train',
      '1 validation',
      '2 train',
      '2 validation',
    ])
    expect(data.previewEpochs).toEqual([1, 2])
    const early = await server.call('runs/preview', { id: run.id, epoch: 1 }, session)
    expect(early.data.epoch).toBe(1)
    expect(early.data.items.map(({ id }) => id)).toEqual(data.preview?.items.map(({ id }) => id))
    expect((await server.call('runs/preview', { id: run.id, epoch: 7 }, session)).data.error).toBe('missing')
    const [shown] = data.preview?.items ?? []
    expect(shown?.probabilities).toHaveLength(3)
    const picture = await fetchBytes(shown?.image ?? null)
    expect(picture.response.headers.get('content-type')).toBe('image/webp')
  })

  it('tells its page every event once and in order, and the project that it changed', async () => {
    const events = await server.ctx.live.after(`run:${trainedId}`, 0)
    expect(events.map(({ type }) => type)).toEqual([
      'state',
      'state',
      'started',
      ...events.slice(3, -2).map(({ type }) => type),
      'end',
      'state',
    ])
    expect(events.filter(({ type }) => type === 'metrics')).toHaveLength(4)
    expect(events.at(-1)?.data).toEqual({ state: 'done', error: null })
    expect((await server.ctx.live.after(`project:${set.projectId}`, 0)).length).toBeGreaterThan(2)
  })

  it('is tested on what training kept aside, worst results first', async () => {
    const { data: test } = await server.call(
      'runs/test',
      { id: trainedId, datasets: [set.datasetId] },
      session,
    )
    expect(test).toMatchObject({ kind: 'test', parentId: trainedId, number: 1 })
    const done = await ended(test.id)

    expect(done).toMatchObject({ state: 'done', counts: { test: 6 } })
    expect(done.confusion?.flat().reduce((sum, count) => sum + count, 0)).toBe(6)
    const worst = await server.call('runs/items', { id: test.id }, session)
    const best = await server.call('runs/items', { id: test.id, order: 'best' }, session)
    const wrong = await server.call('runs/items', { id: test.id, order: 'wrong' }, session)
    const scores = worst.data.items.map(({ score }) => score ?? 0)
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(best.data.items.map(({ id }) => id)[0]).toBe(worst.data.items.at(-1)?.id)
    expect(worst.data).toMatchObject({ total: 6, next: null })
    const { covers } = (await server.call('runs/list', { projectId: set.projectId }, session)).data
    const { courses } = (await server.call('runs/list', { projectId: null }, session)).data
    const { curves } = (await server.call('runs/detail', { id: trainedId }, session)).data
    const validated = curves.filter(({ split }) => split === 'validation')
    expect(courses[trainedId]).toEqual(validated.map(({ values }) => values.accuracy))
    const [first] = worst.data.items
    expect(bytesAt(covers[test.id])).toEqual(bytesAt(first?.overlay ?? first?.image))
    expect(bytesAt(covers[trainedId])).not.toBeNull()
    expect((await server.call('search/all', { text: 'test 1' }, session)).data.covers).toEqual({
      [test.id]: covers[test.id],
    })
    expect(wrong.data.total).toBe(Math.round(6 * (1 - (done.metrics.accuracy ?? 0))))

    const { data: spread } = await server.call('runs/scores', { id: test.id }, session)
    expect(spread).toMatchObject({ low: 0, high: 1, bad: wrong.data.total, total: 6 })
    const bad = await server.call('runs/items', { id: test.id, bad: true }, session)
    expect(bad.data.items.map((one) => one.id)).toEqual(wrong.data.items.map((one) => one.id))
    expect(spread.counts.reduce((sum, count) => sum + count, 0)).toBe(6)
    const bin = spread.counts.findIndex((count) => count > 0)
    const inBin = await server.call('runs/items', { id: test.id, bin }, session)
    expect(inBin.data.total).toBe(spread.counts[bin])
    expect(inBin.data.items[0]?.id).toBe(worst.data.items[0]?.id)
    for (const [truth, row] of (done.confusion ?? []).entries())
      for (const [named, count] of row.entries()) {
        const cell = await server.call('runs/items', { id: test.id, cell: { truth, named } }, session)
        expect(cell.data.total).toBe(count)
      }

    const { evidence } = (await server.call('runs/evidence', { id: test.id }, session)).data
    expect(evidence).toMatchObject({ items: 6, groups: 6, method: 'score' })
    // Six pictures are too few for an interval.
    expect(evidence?.intervals).toHaveProperty('accuracy', null)
    expect(evidence?.curves.map((one) => one.class)).toEqual(done.classes)
    expect(evidence?.curves[0]?.rocAuc).toBeCloseTo(done.perClass[0]?.values.rocAuc ?? -1, 6)
    const ofTraining = await server.call('runs/evidence', { id: trainedId }, session)
    expect(ofTraining.data).toEqual({ evidence: null })
  })

  it('is tested on exactly one data set with classes that it knows', async () => {
    const test = (datasets: string[]) => server.call('runs/test', { id: trainedId, datasets }, session)
    expect((await test([])).data.error).toBe('one_dataset_needed')
    expect((await test([set.datasetId, set.datasetId])).data.error).toBe('one_dataset_needed')
    expect((await test(['unknown'])).data.error).toBe('dataset_missing')
    const strange = await makeTrainingSet(server, session, { items: 12, name: 'strange' })
    expect((await test([strange.datasetId])).data.error).toBe('dataset_missing')

    const { projectId } = set
    const more = { projectId, task: set.task, items: 12, size: 32, name: 'other classes', seed: 5 }
    const { datasetId } = await addDataset(server, session, more)
    await server.ctx.db
      .update(datasets)
      .set({ classes: ['clustered', 'elongated', 'square'] })
      .where(eq(datasets.id, datasetId))
    expect((await test([datasetId])).data.error).toBe('classes_differ')
  })

  it('gives its files under names that every system can store', async () => {
    const { data } = await server.call('runs/download', { id: trainedId, kind: 'onnx' }, session)
    expect(data.name).toBe('Project of 细胞 nuclei-run-1.onnx')
    const { response, bytes } = await fetchBytes(data.url)
    expect(bytes).toHaveLength(data.sizeBytes)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Project of __ nuclei-run-1.onnx"; filename*=UTF-8''Project%20of%20%E7%BB%86%E8%83%9E%20nuclei-run-1.onnx`,
    )
    const part = await fetch(`${server.url}${data.url}`, { headers: { range: 'bytes=4-9' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(4, 10))

    expect(
      (await server.call('runs/download', { id: trainedId, kind: 'masks_zip' }, session)).data.error,
    ).toBe('missing')
    const forged = await fetch(`${server.url}${data.url.replace('artifact=onnx', 'artifact=weights')}`)
    expect(forged.status).toBe(403)
  })

  it('trains in five folds whose test sides add up to all images', async () => {
    const run = await startQuick(server, session, {
      set,
      hyper: { epochs: 1 },
      validation: { method: 'kfold', splits: 5, seed: 3 },
    })
    const done = await ended(run.id)
    expect(done).toMatchObject({ state: 'done', error: null })
    expect(done.confusion?.flat().reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(done.metrics).toHaveProperty('accuracySd')
    const right = (done.confusion ?? []).reduce((sum, row, index) => sum + (row[index] ?? 0), 0)
    expect(done.metrics.accuracy).toBeCloseTo(right / 30, 9)
    const { evidence } = (await server.call('runs/evidence', { id: run.id }, session)).data
    expect(evidence).toMatchObject({ items: 30, groups: 30 })
    expect(evidence?.cross?.parts.map(({ items }) => items)).toEqual([6, 6, 6, 6, 6])
    // Of the pooled images: a mean of five parts of six would be another figure.
    expect(done.perClass[0]?.values.rocAuc).toBeCloseTo(evidence?.curves[0]?.rocAuc ?? -1, 9)
    expect(done.artifacts.map(({ kind }) => kind)).toContain('predictions_csv')
    const items = await server.call('runs/items', { id: run.id, order: 'wrong' }, session)
    expect(items.data.total).toBe(30 - right)
    const { data } = await server.call('runs/detail', { id: run.id }, session)
    expect(new Set(data.curves.map(({ fold }) => fold)).size).toBe(5)
  })

  it('says in the engine’s words why numbers broke down, and the next run goes on', {
    timeout: 240_000,
  }, async () => {
    const before = await startQuick(server, session, { set, hyper: { epochs: 1 } })
    const broken = await startQuick(server, session, { set })
    const next = await startQuick(server, session, { set, hyper: { epochs: 1 } })
    await explode(broken.id)
    await ended(before.id)
    const failed = await ended(broken.id)
    expect(failed.state).toBe('failed')
    expect(failed.error?.code).toBe('loss_not_finite')
    expect(failed.error?.params).toMatchObject({ epoch: 1, step: 1 })
    const after = await ended(next.id)
    expect(after.state).toBe('done')
    const { data } = await server.call('notice/list', {}, session)
    const told = (id: string) => data.items.filter(({ params }) => params.run === id)
    expect(told(failed.id).map(({ kind }) => kind)).toEqual(['run_failed'])
    const score = String(after.metrics.accuracy)
    expect(told(next.id)).toMatchObject([{ kind: 'run_done', params: { metric: 'accuracy', score } }])
  })

  it('leaves nothing in its folder when it has ended', async () => {
    await expect.poll(() => readdir(join(server.ctx.config.dataDir, 'runs'))).toEqual([])
  })
})

describe('segmentation', () => {
  it('trains, shows outlines, and is tested on other pictures', async () => {
    const set = await makeTrainingSet(server, session, { task: 'segmentation', items: 16, size: 48 })
    const run = await startQuick(server, session, { set })
    const done = await ended(run.id)
    expect(done).toMatchObject({ state: 'done', error: null })
    expect(done.score).toBe(done.metrics.dice)

    const { data } = await server.call('runs/detail', { id: run.id }, session)
    const { response, bytes } = await fetchBytes(data.preview?.items[0]?.overlay ?? null)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')

    const { projectId } = set
    const other = { projectId, task: 'segmentation' as const, items: 11, size: 64, name: 'others', seed: 9 }
    const { datasetId } = await addDataset(server, session, other)
    const test = await server.call('runs/test', { id: run.id, datasets: [datasetId] }, session)
    const tested = await ended(test.data.id)
    expect(tested).toMatchObject({ state: 'done', counts: { test: 11 } })
    expect(tested.artifacts.map(({ kind }) => kind).sort()).toEqual(['masks_zip', 'predictions_csv'])
    const { evidence } = (await server.call('runs/evidence', { id: test.data.id }, session)).data
    const [low, high] = evidence?.intervals.dice ?? [1, 0]
    expect(low).toBeLessThanOrEqual(tested.metrics.dice ?? -1)
    expect(high).toBeGreaterThanOrEqual(tested.metrics.dice ?? 2)
    expect(evidence?.surfaces[0]?.measured).toBeLessThanOrEqual(11)
    const items = await server.call('runs/items', { id: test.data.id }, session)
    expect(items.data.total).toBe(11)
    expect((await fetchBytes(items.data.items[0]?.overlay ?? null)).response.status).toBe(200)
    await looksInto(test.data.id, items.data.items.at(-1)?.id ?? '')
  })

  /** The image itself, its truth and its prediction, each by an address of its own; nobody else's. */
  async function looksInto(id: string, itemId: string): Promise<void> {
    const { data: looked } = await server.call('runs/look', { id, itemId }, session)
    expect(looked).toMatchObject({ over: ['truth', 'prediction'], view: { state: 'ready', kind: 'picture' } })
    expect(looked.view.facts?.size).toEqual([64, 64, 1, 1])
    expect((await fetchBytes(looked.view.url)).bytes.subarray(1, 4).toString()).toBe('PNG')
    for (const over of ['truth', 'prediction'] as const) {
      const { data } = await server.call('runs/lookOver', { id, itemId, over }, session)
      expect(data.overlay).toMatchObject({ id: over, state: 'ready', reason: null, marks: null })
      const bytes = gunzipSync((await fetchBytes(data.overlay.url)).bytes)
      expect(bytes).toHaveLength(64 * 64)
      const seen = data.overlay.labels.filter((_, index) => !data.nothing.includes(index + 1))
      for (const { name } of seen) expect(looked.over.length && name).not.toBe('background')
      if (over === 'truth') expect(seen.map(({ count }) => count > 0)).toContain(true)
    }
    const stranger = await server.signUp()
    const missing = await server.call('runs/look', { id, itemId }, stranger)
    expect(missing.data.error).toBe('run_missing')
    expect((await server.call('runs/look', { id, itemId: 'none' }, session)).data.error).toBe('missing')
    expect((await fetch(`${server.url}${looked.view.url}x`)).status).not.toBe(200)
  }
})

/** What a signed address shows, whenever it was signed. */
function bytesAt(address: string | null | undefined): string | null {
  const query = new URLSearchParams(address?.split('?')[1])
  return query.get('sha256') ?? query.get('id')
}
