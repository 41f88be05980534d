import { itemResultSchema } from '@neuroloom/contract/engine'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, startQuick } from '../../../test/training.ts'
import { allRuns, runItems } from './tables.ts'

let server: TestServer
let session: Session
let id: string
beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  const set = await makeTrainingSet(server, session)
  id = (await startQuick(server, session, { set })).id
})
afterAll(() => server.close())

describe('the images of a test that went badly', () => {
  it('are those with a missed box, whatever else was found, also in results of before', async () => {
    const box = { class: 0, x0: 1, y0: 1, x1: 9, y1: 9 }
    const believed = { ...box, score: 0.9 }
    const unsure = { ...box, score: 0.2 }
    const hold = (truth: number, found: object[]) => ({ truth: Array(truth).fill(box), found })
    await holds('detection', [
      // One of two true boxes is right: 2 / 3.
      { name: 'missed', score: 2 / 3, values: { boxes: 2, found: 1 }, boxes: hold(2, [believed, unsure]) },
      { name: 'missed before', score: 2 / 3, boxes: hold(2, [believed, unsure]) },
      { name: 'never shown', score: 0, values: { boxes: 1, found: 0 }, boxes: hold(1, []) },
      // All three true boxes and four wrong ones: its F1 of 0.6 is the worse one.
      {
        name: 'too many',
        score: 0.6,
        values: { boxes: 3, found: 7 },
        boxes: hold(3, Array(7).fill(believed)),
      },
      { name: 'right', score: 1, values: { boxes: 1, found: 1 }, boxes: hold(1, [believed]) },
      { name: 'rightly nothing', score: 1, values: { boxes: 0, found: 0 }, boxes: hold(0, []) },
      { name: 'nothing is known', score: null, boxes: null },
    ])
    expect(await told()).toEqual({
      ...{ bad: 3, total: 7 },
      names: ['never shown', 'missed', 'missed before'],
    })
  })

  it('are of outlines those that overlap poorly', async () => {
    await holds('segmentation', [
      { name: 'poor', score: 0.49, wrong: true },
      { name: 'fair', score: 0.5 },
    ])
    expect(await told()).toEqual({ bad: 1, total: 2, names: ['poor'] })
  })
})

type Held = { name: string; score: number | null; wrong?: boolean } & Record<string, unknown>

/** The run as a test of this task with these results. */
async function holds(task: 'detection' | 'segmentation', held: Held[]): Promise<void> {
  const { db } = server.ctx
  await db.update(allRuns).set({ kind: 'test', task }).where(eq(allRuns.id, id))
  await db.delete(runItems).where(eq(runItems.runId, id))
  const plain = { truth: null, probabilities: [], values: {}, overlay: null }
  const rows = held.map(({ wrong = false, ...one }, place) => ({
    ...{ runId: id, itemId: String(place), place, score: one.score, wrong },
    result: { ...itemResultSchema.parse({ ...plain, id: String(place), ...one }), image: null },
  }))
  await db.insert(runItems).values(rows)
}

async function told() {
  const { data: scores } = await server.call('runs/scores', { id }, session)
  const { data: items } = await server.call('runs/items', { id, bad: true }, session)
  expect(items.total).toBe(scores.bad)
  return { bad: scores.bad, total: scores.total, names: items.items.map(({ name }) => name) }
}
