/** A corrected study that a network makes finer: whose it is, what it keeps, what refuses it, and what goes with it. */
import { flowSharpening } from '@neuroloom/contract/flow/sharpening-limits'
import { planLimits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acrossPipe, flowSteps, makeFlowServer } from '../../../../test/flow-runs.ts'
import { head, makeFine, quickEngine, store, studyBytes } from '../../../../test/flow-sharpen.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { unzip } from '../../../../test/unzip.ts'
import { makeWorker } from '../../../../test/worker.ts'
import type { WorkerContext } from '../../../infra/context.ts'
import { FlowBroke } from '../../../infra/engine/engine.ts'
import { sweepOrphans } from '../../../infra/storage/blobs.ts'
import { eraseOf } from '../erase.ts'
import { claim, recover } from '../lease.ts'
import { work } from '../work.ts'

type Member = Session & { account: string }

let server: TestServer
let steps: ReturnType<typeof flowSteps>
let worker: WorkerContext
let owner: Member
beforeAll(async () => {
  server = await makeFlowServer()
  steps = flowSteps(server)
  worker = quickEngine(makeWorker(server))
  owner = await server.signUp({ vipLevel: 4, vipSuper: 1 })
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

const query = (text: string, ...values: unknown[]) => server.ctx.pool.query(text, values)
const used = async ({ userId }: Session): Promise<{ used: number; reserved: number }> => {
  const { rows } = await query(
    'select used_bytes, reserved_bytes from user_storage where user_id = $1',
    userId,
  )
  return { used: Number(rows[0]?.used_bytes ?? 0), reserved: Number(rows[0]?.reserved_bytes ?? 0) }
}
const isKept = async (sha256: string): Promise<boolean> =>
  (await query('select 1 from blobs where sha256 = $1', sha256)).rowCount === 1
const study = async (id: string, who: Session = owner) => (await server.call('flow/study', { id }, who)).data
const sweep = async () => {
  await query(`update blobs set created_at = created_at - interval '1 day'`)
  await sweepOrphans(server.ctx)
}
const sharpen = async (at: { runId: string; trainingId: string }, who: Session = owner, name?: string) =>
  (await server.call('flow/sharpen', { runId: at.runId, trainingId: at.trainingId, ...(name ? { name } : {}) }, who)).data // biome-ignore format: one call
const sizes = async (url: string | null) => {
  const answer = await fetch(server.url + url)
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength }
}

describe('a finer study', () => {
  it('is its owner’s whoever asks, joins the project at once, and says by what it was made', async () => {
    const editor = await server.signUp({ vipLevel: 2 })
    const at = await makeFine(server, owner)
    const share = { id: at.projectId, account: editor.account, permission: 'edit' } as const
    await server.call('projects/share', share, owner)
    const before = await used(owner)
    const made = await sharpen(at, editor)
    expect(made).toMatchObject({ name: 'Aorta ×2', state: 'making', source: 'sharpened', size: null })
    expect((await server.call('flow/studies', {}, editor)).data.studies).toEqual([])
    expect((await server.call('flow/study', { id: made.id }, editor)).data.error).toBe('study_missing')
    await work(worker, made.id)
    const { data } = await server.call('flow/projectStudies', { projectId: at.projectId }, editor)
    expect(data.studies).toMatchObject([{ id: made.id, isOwn: false, state: 'ready', source: 'sharpened' }])
    const ready = await study(made.id)
    const { runId, trainingId } = at
    expect(ready.head?.sharpened).toMatchObject({ runId, trainingId, network: 'flow4d_small', factor: 2 })
    const files = [await sizes(ready.values), await sizes(ready.interpolated)]
    expect(files.map(({ status }) => status)).toEqual([200, 200])
    const sum = files.reduce((total, { bytes }) => total + bytes, 0)
    expect(ready.sizeBytes).toBe(sum)
    expect(await used(owner)).toEqual({ used: before.used + sum, reserved: 0 })
    expect((await server.call('flow/remove', { id: made.id }, owner)).code).toBe(10200)
    expect(await used(owner)).toEqual(before)
    expect((await fetch(server.url + ready.interpolated)).status).toBe(404)
  })

  it('keeps what it is made of until it is ready, also when run and training are deleted for good meanwhile', async () => {
    const at = await makeFine(server, owner)
    const { id } = await sharpen(at, owner, 'Arch')
    for (const gone of [at.runId, at.trainingId])
      expect((await server.call('runs/remove', { id: gone }, owner)).code).toBe(10200)
    await server.call('runs/purge', { ids: null }, owner)
    await sweep()
    for (const sha256 of at.made) expect(await isKept(sha256)).toBe(true)
    const asked: unknown[] = []
    await work(quickEngine(worker, asked as never), id)
    expect(await study(id)).toMatchObject({ state: 'ready', name: 'Arch', failure: null })
    // The mask is marked from 6 to 9 in 16, and four more are kept around.
    expect(asked).toMatchObject([{ margin: flowSharpening.margin, maxVoxels: flowSharpening.voxels }])
    await sweep()
    const { rows } = await query(
      'select sha256, interpolated_sha256 as beside from flow_studies where id = $1',
      id,
    )
    for (const sha256 of Object.values<string>(rows[0])) expect(await isKept(sha256)).toBe(true)
    for (const [index, sha256] of at.made.entries()) if (index !== 1) expect(await isKept(sha256)).toBe(false)
  })

  it('that failed is made by the next try, and one whose worker died by the next worker', async () => {
    const at = await makeFine(server, owner)
    const { id } = await sharpen(at)
    const before = await used(owner)
    const broken: WorkerContext = {
      ...worker,
      engine: { ...worker.engine, flow: () => Promise.reject(new FlowBroke('out_of_memory', '')) },
    }
    await work(broken, id)
    expect(await study(id)).toMatchObject({ state: 'failed', failure: 'too_large', source: 'sharpened' })
    await server.call('runs/remove', { id: at.runId }, owner)
    expect((await server.call('flow/retry', { id }, owner)).data.state).toBe('making')
    expect(await claim(server.ctx, id)).not.toBeNull()
    await query(`update flow_studies set lease_until = now() - interval '1 minute' where id = $1`, id)
    await recover(server.ctx)
    await work(worker, id)
    const { state, sizeBytes } = await study(id)
    expect(state).toBe('ready')
    expect(await used(owner)).toEqual({ used: before.used + sizeBytes, reserved: 0 })
  })

  it('that does not say what made it is never kept', async () => {
    const { id } = await sharpen(await makeFine(server, owner))
    const silent = quickEngine(worker)
    const { flow } = silent.engine
    silent.engine.flow = async (asked, options) => {
      const done = await flow(asked, options)
      return 'made' in done ? { made: done.made.slice(1) } : done
    }
    await work(silent, id)
    expect(await study(id)).toMatchObject({ state: 'failed', failure: 'internal', values: null })
  })

  it('is in the archives of its owner and of the project, both files, and gone with the account', async () => {
    const me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
    const at = await makeFine(server, me)
    const { id } = await sharpen(at, me, 'Bogen')
    await work(worker, id)
    const archiveAt = async (url: string) =>
      unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
    const own = await archiveAt((await server.call('user/export', {}, me)).data.url)
    expect(JSON.parse(own.get('flow-studies.json')?.bytes.toString() ?? 'null')).toMatchObject([
      { id, sharpened: { runId: at.runId, trainingId: at.trainingId } },
    ])
    const files = ['Bogen.safetensors', 'Bogen interpolated.safetensors']
    for (const name of files) expect([...own.keys()]).toContain(`flow/${name}`)
    const runs = JSON.parse(own.get('runs.json')?.bytes.toString() ?? '[]')
    expect(runs).toMatchObject([
      { kind: 'flow' },
      { kind: 'flow_train', flowTraining: { asked: { seed: 3 } } },
    ])
    // A run on it, with a plane: its table says what the numbers are of.
    const { head: fine } = await study(id, me)
    await query('update run_flow set head = $2 where run_id = $1', at.runId, JSON.stringify(fine))
    await query(
      'insert into flow_sections (run_id, place, section) values ($1, 0, $2)',
      at.runId,
      JSON.stringify(acrossPipe(8)),
    )
    const link = await server.call('projects/archive', { id: at.projectId, data: true }, me)
    const whole = await archiveAt(link.data.url)
    const names = [...whole.keys()].map((path) => path.replace(/^[^/]*\/(?=runs|data)/, ''))
    expect(names).toEqual(expect.arrayContaining(files.map((name) => `data/${name}`)))
    expect(names).toEqual(
      expect.arrayContaining(['asked.json', 'network.yaml', 'weights.safetensors'].map((name) => `runs/002-flow_train/${name}`)), // biome-ignore format: one list
    )
    const [, table] = [...whole].find(([path]) => path.endsWith('sections.csv')) ?? []
    const lines = table?.bytes.toString().trim().split('\n') ?? []
    expect(lines.map((line) => line.split(',').at(-1)?.trim())).toEqual([
      'made_finer_not_measured',
      'flow4d_small ×2',
    ])
    await eraseOf(server.ctx, me.userId)
    expect((await query('select 1 from flow_studies where owner_id = $1', me.userId)).rowCount).toBe(0)
    expect(await used(me)).toEqual({ used: 0, reserved: 0 })
  })
})

describe('none is made', () => {
  it('by a network that did not win, of another project, or of a run that is none', async () => {
    const [at, other] = [await makeFine(server, owner), await makeFine(server, owner)]
    const lost = await makeFine(server, owner, { results: { wins: false } })
    const stranger = await server.signUp({ vipLevel: 4 })
    const low = await server.signUp({ vipLevel: 1 })
    const viewer = await server.signUp({ vipLevel: 4 })
    await server.call('projects/share', { id: at.projectId, account: low.account, permission: 'edit' }, owner)
    await server.call('projects/share', { id: at.projectId, account: viewer.account, permission: 'view' }, owner) // biome-ignore format: one call
    const errors = [
      await sharpen(lost),
      await sharpen({ runId: at.runId, trainingId: other.trainingId }),
      await sharpen({ runId: at.runId, trainingId: at.runId }),
      await sharpen({ runId: at.trainingId, trainingId: at.trainingId }),
      await sharpen(at, stranger),
      await sharpen(at, viewer),
      await sharpen(at, low),
    ].map((answer) => ('error' in answer ? answer.error : 'ok'))
    expect(errors).toEqual([
      ...['flow_network_unproven', 'run_missing', 'run_missing', 'run_missing', 'run_missing'],
      ...['not_allowed', 'application_unavailable'],
    ])
  })

  it('of a study that was made finer already, or that would be too fine, or of a run that is not done', async () => {
    const { runId, trainingId, ...at } = await makeFine(server, owner, { changes: { frames: 1_000_000 } })
    expect(await sharpen({ runId, trainingId })).toMatchObject({
      error: 'flow_too_fine',
      // Four voxels of the mask with four more to each side, eight times as many.
      params: { voxels: 12 ** 3 * 8 * 1_000_000, most: flowSharpening.voxels },
    })
    const mark = { trainingId, runId, network: 'x', weights: at.made[2], factor: 2 }
    const gain = { against: 'linear', mean: 1, low: 1, high: 1 }
    await query('update run_flow set head = head || $2 where run_id = $1', runId, {
      sharpened: { ...mark, gain },
    })
    expect(await sharpen({ runId, trainingId })).toMatchObject({ error: 'flow_sharpened_already' })
    await query(`update runs set state = 'stopped' where id = $1`, runId)
    expect(await sharpen({ runId, trainingId })).toMatchObject({ error: 'flow_run_not_done' })
  })

  it('beyond what waits at a time, by two calls at once, nor beyond what the owner may share', async () => {
    const me = await server.signUp({ vipLevel: 2, vipSuper: 0 })
    const at = await makeFine(server, me)
    const insert = `insert into flow_studies (id, owner_id, name, source_ids, step, state, created_at)
      select $1 || n, $1, 'x', '{}', 'look', $3, now() from generate_series(1, $2::int) n`
    await query(insert, me.userId, 19, 'waiting')
    const both = await Promise.all([sharpen(at, me), sharpen(at, me)])
    expect(both.map((answer) => answer.error ?? 'ok').sort()).toEqual(['flow_waiting', 'ok'])
    await query('delete from flow_studies where owner_id = $1', me.userId)
    const limit = planLimits({ vipLevel: 2, vipSuper: 0 }).sharedDatasets ?? 0
    await query(insert, me.userId, limit, 'asked')
    await server.call('projects/setPublic', { id: at.projectId, isPublic: true }, me)
    for (let number = 1; number <= limit; number += 1) {
      const link = { projectId: at.projectId, studyId: `${me.userId}${number}` }
      expect((await server.call('flow/addToProject', link, me)).code).toBe(10200)
    }
    expect(await sharpen(at, me)).toMatchObject({ error: 'shared_datasets_limit' })
    expect((await query(`select 1 from flow_studies where owner_id = $1 and state = 'waiting'`, me.userId)).rowCount).toBe(0) // biome-ignore format: one question
  })
})

it('the networks of a project are listed with how they did, the newest first, also those that lost', async () => {
  const at = await makeFine(server, owner, { results: { wins: false } })
  const { data } = await server.call('flow/sharpeners', { projectId: at.projectId }, owner)
  expect(data.sharpeners).toMatchObject([
    { trainingId: at.trainingId, number: 2, factor: 2, kept: 4, wins: false, ownNetwork: null },
  ])
  const { data: shown } = await server.call('flow/training', { id: at.trainingId }, owner)
  expect(shown).toMatchObject({ asked: { flows: 20 }, results: { wins: false }, curves: [] })
  expect(shown.run).toMatchObject({ kind: 'flow_train', hyper: { epochs: 1 }, validation: null })
})

it('a file of a study opens nothing else', async () => {
  const other = await store(server, studyBytes(head, 7))
  const { id } = await sharpen(await makeFine(server, owner))
  await work(worker, id)
  const { interpolated } = await study(id)
  const forged = interpolated?.replace(/sha256=[0-9a-f]{64}/, `sha256=${other.sha256}`)
  expect((await fetch(server.url + forged)).status).not.toBe(200)
  expect(await steps.project(owner)).toBeTruthy()
})
