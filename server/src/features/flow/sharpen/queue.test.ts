/** Trainings of velocity super-resolution before they begin: which networks fit, what limits them, and how the queue tells of them. */
import { flowTrainHyper } from '@neuroloom/contract/flow/sharpen'
import { planLimits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { flowText, insertTraining, trainAsked, trained } from '../../../../test/flow-training.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeText } from '../../../../test/networks.ts'
import { sha256, upload } from '../../../../test/uploads.ts'
import { plainProcessor } from '../../../infra/engine/device.ts'
import { runDevices } from '../../runs/tables.ts'
import { runFlowTraining } from './tables.ts'

let server: TestServer
let me: Session
let projectId: string
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  projectId = await project(me)
})
afterAll(() => server.close())

const project = async (who: Session): Promise<string> =>
  (await server.call('projects/create', { name: `Flow ${Math.random()}`, task: 'flow' }, who)).data.id
const draw = async (text: string, who = me): Promise<string> =>
  (await server.call('networks/create', { name: 'Drawn', text }, who)).data.id
const save = (id: string, revision: number, text: string) =>
  server.call('networks/save', { id, revision, text, layout: { v: 1, pos: {}, open: [] } }, me)
const train = async (network = trainAsked.network, at = projectId, who = me) =>
  (await server.call('flow/train', { projectId: at, asked: { ...trainAsked, network } }, who)).data
const query = (text: string, ...values: unknown[]) => server.ctx.pool.query(text, values)

describe('a network', () => {
  it('of the product is queued with its settings, foreseen, found and counted as others are', async () => {
    const run = await train()
    expect(run).toMatchObject({
      ...{ kind: 'flow_train', task: 'flow', state: 'queued', network: 'flow4d_small', ownNetwork: null },
      ...{ hyper: flowTrainHyper(trainAsked), validation: null, datasetId: null, classes: [] },
    })
    expect(run.foreseenSeconds).toBeGreaterThan(0)
    expect(run.parameters).toBeGreaterThan(1000)
    for (const text of ['Flow training 1', '4DFlowNet']) {
      const { data } = await server.call('search/all', { text }, me)
      expect(data.runs).toMatchObject([{ id: run.id, kind: 'flow_train' }])
    }
    const { data: status } = await server.call('toolbox/status', { ids: [run.id] }, me)
    expect(status.jobs).toMatchObject([{ id: run.id, kind: 'flow_train', state: 'waiting' }])
    const { data: shown } = await server.call('flow/training', { id: run.id }, me)
    expect(shown).toMatchObject({ run: { id: run.id }, asked: trainAsked, results: null, curves: [] })
    expect((await server.call('flow/sharpeners', { projectId }, me)).data.sharpeners).toEqual([])
    const { data: paused } = await server.call('runs/pause', { id: run.id }, me)
    expect(paused.state).toBe('paused')
    expect((await server.call('runs/resume', { id: run.id }, me)).data.state).toBe('queued')
    expect((await server.call('runs/stop', { id: run.id }, me)).data.state).toBe('stopped')
    const { data: next } = await server.call('runs/rerun', { id: run.id }, me)
    expect(next).toMatchObject({ number: run.number + 1, kind: 'flow_train', hyper: run.hyper })
    const { data: again } = await server.call('flow/training', { id: next.id }, me)
    expect(again.asked).toEqual(trainAsked)
  })

  it('costs more of the device, the more flows and epochs it sees', async () => {
    const longer = { ...trainAsked, flows: 400, epochs: 300 }
    const { data: foreseen } = await server.call('flow/forecast', { projectId, asked: longer }, me)
    expect(foreseen.isSure).toBe(false)
    const { data } = await server.call('flow/train', { projectId, asked: longer }, me)
    const short = await train()
    expect(foreseen.seconds / (data.foreseenSeconds ?? 0)).toBeCloseTo(1, 1)
    expect(data.foreseenSeconds).toBeGreaterThan(100 * ((short.foreseenSeconds ?? 0) - 4))
  })

  it('of a member’s own is kept as it was, and its version knows of the training', async () => {
    const id = await draw(flowText())
    const run = await train(id)
    expect(run).toMatchObject({ network: id, ownNetwork: { name: 'Drawn', version: 1 } })
    await save(id, 1, flowText({ width: 6 }))
    const second = await train(id)
    expect(second.ownNetwork).toEqual({ name: 'Drawn', version: 2 })
    const { data } = await server.call('networks/versions', { id }, me)
    expect(data.versions).toMatchObject([
      { number: 2, runs: 1 },
      { number: 1, runs: 1 },
    ])
    await server.call('networks/remove', { id }, me)
    const [kept] = await server.ctx.db.select().from(runFlowTraining).where(eq(runFlowTraining.runId, run.id))
    expect(kept?.networkText).toBe(flowText())
    expect(kept?.plan.inputs.velocity).toEqual({ k: 'map', c: 3, s: [12, 12, 12] })
  })

  it('that is saved anew at this very moment is refused, and nothing is queued', async () => {
    const id = await draw(flowText())
    const before = (await server.call('runs/list', { projectId }, me)).data.runs.length
    const { aside } = server.ctx
    const ask = aside.ask.bind(aside)
    const meanwhile = vi.spyOn(aside, 'ask').mockImplementationOnce(async (...asked) => {
      const answer = await ask(...asked)
      meanwhile.mockRestore()
      await save(id, 1, flowText({ width: 5 }))
      return answer
    })
    expect(await train(id)).toMatchObject({ error: 'network_changed', params: { revision: 2 } })
    expect((await server.call('runs/list', { projectId }, me)).data.runs).toHaveLength(before)
  })

  it.each([
    [
      'has one input',
      flowText()
        .replace(/ {2}magnitude:.*\n/, '')
        .replace('{op: concat, in: [velocity, magnitude]}', '{op: conv, in: velocity, out: 4}'),
      'flow_inputs',
    ],
    ['takes other channels', flowText().replace('magnitude: {kind: volume, channels: 3', 'magnitude: {kind: volume, channels: 1'), 'flow_inputs'], // biome-ignore format: cases
    [
      'makes nothing finer',
      flowText().replace('{op: pixelshuffle, factor: =factor}', '{op: conv, out: 3}'),
      'flow_output',
    ],
    [
      'is too fine',
      flowText({ factor: 4 }).replace(
        '  flow: {op: pixelshuffle, factor: =factor}',
        '  once: {op: pixelshuffle, factor: =factor}\n  wide: {op: conv, out: 192}\n  flow: {op: pixelshuffle, factor: =factor}',
      ),
      'flow_output',
    ],
    ['is for another task', makeText(), 'other_task'],
    ['has mistakes', flowText().replace('in: [velocity, magnitude]', 'in: [nowhere]'), 'unknown_ref'],
  ])('that %s is refused, and the reason is told', async (_, text, reason) => {
    const params = { network: 'Drawn', reason }
    expect(await train(await draw(text))).toMatchObject({ error: 'network_unfit', params })
  })

  it('of somebody else, of another task of the product, or unknown, is none', async () => {
    const stranger = await server.signUp()
    const foreign = await draw(flowText(), stranger)
    for (const id of [foreign, 'unet_small', 'unknown'])
      expect(await train(id)).toMatchObject({ error: 'network_unfit' })
  })

  it('that the device has no memory for is refused', async () => {
    const device = { kind: 'cpu', threads: 2, memoryBytes: 1000 } as const
    await server.ctx.db
      .insert(runDevices)
      .values({ worker: 'w', device: { ...plainProcessor(), ...device }, seenAt: new Date() })
    expect(await train()).toMatchObject({ error: 'memory_exceeded', params: { haveBytes: 1000 } })
    await server.ctx.db.delete(runDevices)
  })
})

describe('as any model', () => {
  const bytes = Buffer.from('weights')
  const level = { vipLevel: 2, vipSuper: 0 }

  it('it counts for its owner’s level, also while it waits, and of two calls at once one goes through', async () => {
    const giver = await server.signUp(level)
    const at = await project(giver)
    await upload(server, giver, { files: [{ path: 'a.bin', bytes }] })
    const limit = planLimits(level).trainedModels ?? 0
    for (let number = 101; number < 100 + limit; number += 1)
      await insertTraining(server, {
        ...{ userId: giver.userId, projectId: at, sha256: sha256(bytes, 'hex'), number, results: trained() },
      })
    const both = await Promise.all([train(undefined, at, giver), train(undefined, at, giver)])
    expect(both.map((answer) => answer.error ?? 'ok').sort()).toEqual(['ok', 'plan_limit'])
    const { data } = await server.call('projects/detail', { id: at }, giver)
    expect(data.counts).toMatchObject({ models: limit - 1, runs: limit })
    const ended = await query(`select id from runs where project_id = $1 and state = 'done' limit 1`, at)
    const again = await server.call('runs/rerun', { id: ended.rows[0].id }, giver)
    expect(again.data.error).toBe('plan_limit')
  })

  it('it counts among those that others have', async () => {
    const shared = { vipLevel: 2, vipSuper: 0 }
    const giver = await server.signUp(shared)
    const at = await project(giver)
    await upload(server, giver, { files: [{ path: 'a.bin', bytes }] })
    const limit = planLimits(shared).sharedModels ?? 0
    for (let number = 101; number <= 100 + limit; number += 1)
      await insertTraining(server, {
        ...{ userId: giver.userId, projectId: at, sha256: sha256(bytes, 'hex'), number, results: trained() },
      })
    expect((await server.call('projects/setPublic', { id: at, isPublic: true }, giver)).code).toBe(10200)
    expect((await server.call('plans/shared', {}, giver)).data.models).toEqual({ used: limit, limit })
    expect(await train(undefined, at, giver)).toMatchObject({ error: 'shared_models_limit' })
    expect((await query(`select 1 from runs where project_id = $1 and state = 'queued'`, at)).rowCount).toBe(
      0,
    )
  })
})
