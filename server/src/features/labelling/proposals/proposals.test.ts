import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { gatherNow, mapOf, nameReader, rectangle, segmentDeed, stepOf } from '../../../../test/labels.ts'
import { hasEnded, makeTrainingSet, startQuick, until } from '../../../../test/training.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { drawField } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { look } from '../../datasets/jobs.ts'
import { type Runner, startRunner } from '../../runs/queue/jobs.ts'
import { runInputs } from '../../runs/tables.ts'
import { isAside } from './aside.ts'
import { harvest } from './harvest.ts'
import { goOn } from './learn.ts'
import { labelProposals, labelRounds } from './tables.ts'

let server: TestServer
let worker: ReturnType<typeof makeWorker>
let runner: Runner
let me: Session
let setId: string
let items: { id: string; name: string }[]
let network: { id: string; classes: string[]; projectId: string }
const SIDE = 32
const classes = [
  { id: 'bg', name: 'Background', colour: '#000000', use: 'background' as const },
  { id: 'cell', name: 'Cell', colour: '#e69f00', key: 1 },
]

beforeAll(async () => {
  server = await makeServer()
  worker = makeWorker(server)
  me = await server.signUp({ vipLevel: 4 })
  const training = await makeTrainingSet(server, me, { task: 'segmentation', items: 16, size: SIDE })
  runner = startRunner(worker)
  const run = await startQuick(server, me, { set: training, hyper: { epochs: 8, learningRate: 0.01 } })
  const done = await until(server, me, { id: run.id, is: hasEnded })
  expect(done.state).toBe('done')
  network = { id: run.id, classes: done.classes, projectId: training.projectId }
  const files = Array.from({ length: 14 }, (_, seed) => ({
    path: `Fields/${String(seed).padStart(2, '0')}.png`,
    bytes: encodePng(drawField(7000 + seed, SIDE).image),
  }))
  const folderId = (await upload(server, me, { files })) ?? ''
  const body = { name: 'Fields', description: 'Cells', classes, marks: ['pixels' as const], folderId }
  const { data: set } = await server.call('labelling/create', body, me)
  setId = set.id
  await gatherNow(server, set.id)
  items = (await server.call('labelling/items', { id: set.id }, me)).data.items
})
afterAll(async () => {
  await runner.stop()
  worker.engine.close()
  await server.close()
})

const own = () => network.classes.map((_, index) => (index === 1 ? 'cell' : null))
const choose = (more: object = {}, who = me) =>
  server.call(
    'labelling/chooseHelper',
    { id: setId, runId: network.id, classes: own(), order: 'doubt', every: null, ...more },
    who,
  )
const proposalOf = async (itemId: string, who = me) =>
  (await server.call('labelling/proposal', { itemId }, who)).data.proposal

async function propose(itemIds: string[]) {
  const { data, code, message } = await server.call('labelling/propose', { id: setId, itemIds }, me)
  expect(code, message).toBe(10200)
  const run = await until(server, me, { id: data.runId, is: hasEnded })
  expect(run).toMatchObject({ state: 'done', kind: 'predict' })
  await harvest(worker, data.runId)
  return data
}

/** A mask drawn by hand, finished. */
async function label(itemId: string) {
  const { data: opened } = await server.call('labelling/open', { itemId }, me)
  const readingId = opened.reading?.id ?? ''
  const steps = [
    stepOf(segmentDeed(1, 'cell')),
    stepOf(rectangle(mapOf(SIDE, SIDE), { x: 8, y: 8, width: 14, height: 14, segment: 1 })),
  ]
  await server.call('labelling/save', { readingId, after: 0, steps }, me)
  expect((await server.call('labelling/setState', { readingId, state: 'done' }, me)).code).toBe(10200)
}

describe('a network of one’s own', () => {
  it('is listed with why it does not fit, and is chosen with its classes as those of the set', async () => {
    const { data } = await server.call('labelling/helpers', { id: setId }, me)
    expect(data.chosen).toBeNull()
    expect(data.networks).toEqual([
      expect.objectContaining({ runId: network.id, task: 'segmentation', unfit: null }),
    ])
    const tags = { name: 'T', description: 'T', classes, marks: ['tags' as const] }
    await server.call('labelling/change', { id: setId, ...tags }, me)
    expect((await server.call('labelling/helpers', { id: setId }, me)).data.networks[0]?.unfit).toBe('marks')
    expect((await choose()).data).toMatchObject({ error: 'helper_unfit', params: { reason: 'marks' } })
    await server.call('labelling/change', { id: setId, ...tags, name: 'Fields', marks: ['pixels'] }, me)
    expect((await server.call('labelling/propose', { id: setId, itemIds: ['x'] }, me)).data.error).toBe(
      'helper_missing',
    )
    for (const wrong of [['cell'], own().map(() => null), own().map(() => 'unknown')])
      expect((await choose({ classes: wrong })).data.error).toBe('helper_unfit')
    expect((await choose()).data).toMatchObject({ runId: network.id, order: 'doubt', every: null })
  })

  it('is refused to whoever has no right to it, or to the set', async () => {
    const stranger = await server.signUp({ vipLevel: 4 })
    for (const call of [
      'labelling/helpers',
      'labelling/rounds',
      'labelling/nextItem',
      'labelling/train',
    ] as const)
      expect((await server.call(call, { id: setId }, stranger)).code).toBe(20701)
    await nameReader(server, { setId, reader: stranger, permission: 'read' })
    expect((await server.call('labelling/helpers', { id: setId }, stranger)).data.networks).toEqual([])
    expect((await choose({}, stranger)).data.error).toBe('run_missing')
    expect((await server.call('labelling/train', { id: setId }, stranger)).data.error).toBe('helper_missing')
  })

  it('proposes nothing while its training is in the recycle station, and is the chosen one again after that', async () => {
    const helpers = async () => (await server.call('labelling/helpers', { id: setId }, me)).data
    await server.call('runs/remove', { id: network.id }, me)
    expect(await helpers()).toEqual({ networks: [], chosen: null })
    for (const call of ['labelling/train', 'labelling/propose'] as const) {
      const asked = { id: setId, itemIds: ['x'] }
      expect((await server.call(call, asked, me)).data.error).toBe('helper_missing')
    }
    expect((await server.call('runs/restore', { id: network.id }, me)).code).toBe(10200)
    expect((await helpers()).chosen).toMatchObject({ runId: network.id })
  })

  it('proposes objects, which one takes or leaves; nobody else learns of it, and no reading is written', async () => {
    const asked = items.slice(0, 6).map(({ id }) => id)
    expect((await propose(asked)).waiting).toEqual(asked)
    const proposals = await Promise.all(asked.map((id) => proposalOf(id)))
    const full = proposals.find((one) => (one?.objects.length ?? 0) > 0)
    expect(proposals.every((one) => one?.state === 'ready')).toBe(true)
    if (!full) throw new Error('nothing was proposed')
    const [first] = full.objects
    expect(first).toMatchObject({ number: 1, class: 'cell', confidence: null, shape: { kind: 'region' } })
    const judge = (
      judged: { number: number; judgement: 'accepted' | 'mended' | 'refused' | null }[],
      who = me,
    ) => server.call('labelling/judge', { proposalId: full.id, judged }, who)
    await judge([{ number: 1, judgement: 'accepted' }])
    await judge([{ number: 1, judgement: 'mended' }])
    await judge([{ number: 9999, judgement: 'refused' }])
    const { data } = await server.call('labelling/rounds', { id: setId }, me)
    expect(data.shares.classes).toEqual([{ class: 'cell', accepted: 0, mended: 1, refused: 0 }])
    expect(data.shares.days).toHaveLength(1)
    const reader = await server.signUp({ vipLevel: 4 })
    await nameReader(server, { setId, reader, permission: 'review' })
    expect(await proposalOf(asked[0] ?? '', reader)).toBeNull()
    expect((await judge([{ number: 1, judgement: 'refused' }], reader)).data.error).toBe('proposal_missing')
    await judge([{ number: 1, judgement: null }])
    expect((await server.call('labelling/rounds', { id: setId }, me)).data.shares.classes).toEqual([])
    const { data: opened } = await server.call('labelling/open', { itemId: asked[0] ?? '' }, me)
    expect(opened.reading?.seq).toBe(0)
    await server.call('runs/remove', { id: (await lastPrediction()) ?? '' }, me)
    expect((await proposalOf(asked[0] ?? ''))?.state).toBe('ready')
  })

  it('chooses the next image by its doubt, or at random, among those it was asked about', async () => {
    await propose(items.map(({ id }) => id))
    // Of what was proposed before, to which nobody said anything, nothing is left.
    expect(await server.ctx.db.$count(labelProposals)).toBe(items.length)
    for (const order of ['doubt', 'random'] as const) {
      await choose({ order })
      const { data } = await server.call('labelling/nextItem', { id: setId }, me)
      expect(data).toMatchObject({ why: order, among: items.filter(({ id }) => !isAside(id)).length })
      expect((await server.call('labelling/nextItem', { id: setId }, me)).data).toEqual(data)
    }
  })

  it('learns anew after so many labels, is tested on images kept aside, and proposes from then on', async () => {
    expect((await server.call('labelling/train', { id: setId }, me)).data.error).toBe('nothing_labelled')
    await choose({ every: items.length - 2 })
    // Both sides have some.
    const [aside, learned] = [items.filter(({ id }) => isAside(id)), items.filter(({ id }) => !isAside(id))]
    for (const { id } of [...aside.slice(0, 3), ...learned, ...aside.slice(3)].slice(0, items.length - 2))
      await label(id)
    const [round] = await server.ctx.db.select().from(labelRounds)
    if (!round) throw new Error('no round began')
    expect((await server.call('labelling/train', { id: setId }, me)).data.error).toBe('round_open')
    await goOn(worker, round.id)
    const read = async () => (await server.call('labelling/rounds', { id: setId }, me)).data.rounds[0]
    expect((await read())?.state).toBe('reading')
    const [waiting] = await server.ctx.db.select().from(labelRounds)
    await look(worker, waiting?.datasetId ?? '')
    await goOn(worker, round.id)
    const training = await read()
    expect(training).toMatchObject({ state: 'training', failure: null })
    await until(server, me, { id: training?.runId ?? '', is: hasEnded })
    await goOn(worker, round.id)
    const [testing] = await server.ctx.db.select().from(labelRounds)
    await until(server, me, { id: testing?.testId ?? '', is: hasEnded })
    await goOn(worker, round.id)
    const { data } = await server.call('labelling/rounds', { id: setId }, me)
    expect(data).toMatchObject({ metric: 'dice', fresh: 0, expected: null, difference: null })
    expect(data.rounds[0]).toMatchObject({ state: 'done', order: 'doubt', tested: data.images })
    expect(data.rounds[0]?.labels).toBeGreaterThan(0)
    const { data: chosen } = await server.call('labelling/helpers', { id: setId }, me)
    expect(chosen.chosen?.runId).toBe(training?.runId)
    expect(chosen.chosen?.classes).toContain('cell')
  })

  it('says why a round failed, and the next one can begin', async () => {
    const { data: begun } = await server.call('labelling/train', { id: setId }, me)
    const read = async () =>
      (await server.call('labelling/rounds', { id: setId }, me)).data.rounds.find(({ id }) => id === begun.id)
    await goOn(worker, begun.id)
    const [row] = await server.ctx.db.select().from(labelRounds).where(eq(labelRounds.id, begun.id))
    await look(worker, row?.datasetId ?? '')
    await goOn(worker, begun.id)
    const runId = (await read())?.runId ?? ''
    await server.call('runs/stop', { id: runId }, me)
    await until(server, me, { id: runId, is: hasEnded })
    await goOn(worker, begun.id)
    expect(await read()).toMatchObject({ state: 'failed', failure: { name: 'round_run_failed', params: {} } })
    expect((await server.call('labelling/train', { id: setId }, me)).code).toBe(10200)
  })

  it('looks at images prepared as those that it learned from, but never moved', async () => {
    const { data } = await server.call('labelling/helpers', { id: setId }, me)
    const runId = data.chosen?.runId ?? ''
    expect(data.chosen?.network.isReshaped).toBe(false)
    const recipe: Recipe = { v: 1, steps: [{ do: 'flip', axis: 'horizontal' }, { do: 'grey' }] }
    await server.ctx.db.update(runInputs).set({ recipe }).where(eq(runInputs.runId, runId))
    const chosen = (await server.call('labelling/helpers', { id: setId }, me)).data.chosen
    expect(chosen?.network.isReshaped).toBe(true)
    const { data: asked } = await server.call(
      'labelling/propose',
      { id: setId, itemIds: [items[0]?.id ?? ''] },
      me,
    )
    const { data: used } = await server.call('runs/recipe', { id: asked.runId }, me)
    expect(used.recipe?.steps).toEqual([{ do: 'grey' }])
  })

  it('goes with its set', async () => {
    await server.call('labelling/remove', { id: setId }, me)
    expect(await server.ctx.db.$count(labelProposals)).toBe(0)
    expect(await server.ctx.db.$count(labelRounds)).toBe(0)
  })
})

const lastPrediction = async () => {
  const { data } = await server.call('runs/list', { projectId: network.projectId }, me)
  return data.runs.find(({ kind }) => kind === 'predict')?.id
}
