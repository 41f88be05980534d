/** A known flow, from a project to numbers, planes, pictures and files of a run: with the real engine in a worker of its own. */
import type { FlowRun, FlowSection } from '@neuroloom/contract/flow/run'
import { flowWork } from '@neuroloom/contract/forecast'
import { flow as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acrossPipe, asked, flowSteps, makeFlowServer, png } from '../../../../test/flow-runs.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { unzip } from '../../../../test/unzip.ts'
import { sha256, upload } from '../../../../test/uploads.ts'
import { startWorker, type TestWorker } from '../../../../test/worker.ts'
import { createForecaster } from '../../runs/forecast.ts'

let server: TestServer
let steps: ReturnType<typeof flowSteps>
let worker: TestWorker
let me: Session
let studyId: string
let projectId: string
let done: string
beforeAll(async () => {
  server = await makeFlowServer()
  steps = flowSteps(server)
  worker = await startWorker(server)
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  studyId = await steps.study(me)
  projectId = await steps.project(me, studyId)
  const run = await steps.start(me, { projectId, studyId })
  done = (await steps.ended(me, run.id)).id
})
afterAll(async () => {
  await worker.stop()
  await server.close()
})

const used = async (who: Session): Promise<number> =>
  (await server.call('user/size', {}, who)).data.storageSize

describe('a run', () => {
  it('ends with numbers, values and files', async () => {
    const { run, results, study, ...detail } = await steps.run(me, done)
    expect(run.error).toBeNull()
    expect(run).toMatchObject({ state: 'done', kind: 'flow', task: 'flow', score: null, hyper: null })
    expect(run.artifacts.map(({ kind }) => kind).sort()).toEqual([
      ...['flow_angiogram', 'flow_derived', 'flow_lines', 'flow_mask'],
      ...['flow_mask_values', 'flow_numbers', 'flow_study'],
    ])
    expect(study).toMatchObject({
      id: studyId,
      head: {
        directions: [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
    })
    expect(results?.asked).toEqual(asked)
    expect(detail).toMatchObject({ sections: [], figures: [], isMeasuring: false, massBalance: null })
    for (const [url, kind] of [
      [detail.values, 'flow_study'],
      [detail.mask, 'flow_mask_values'],
      [detail.derived, 'flow_derived'],
    ] as const) {
      const answer = await fetch(server.url + url)
      expect(answer.headers.get('cache-control')).toContain('immutable')
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(sha256(bytes, 'hex')).toBe(run.artifacts.find((one) => one.kind === kind)?.sha256)
    }
    const before = await fetch(server.url + detail.before)
    expect(sha256(Buffer.from(await before.arrayBuffer()), 'hex')).toBe(results?.study.sha256)
  })

  it('is found, counted and followed as any other', async () => {
    const { data: listed } = await server.call('runs/list', { projectId }, me)
    expect(listed.runs.map(({ id }) => id)).toContain(done)
    const { data: shown } = await server.call('runs/detail', { id: done }, me)
    expect(shown).toMatchObject({ run: { id: done, datasetName: 'poiseuille' }, curves: [], preview: null })
    const { data: project } = await server.call('projects/detail', { id: projectId }, me)
    expect(project).toMatchObject({ task: 'flow', displays: ['vortex', 'fluid_line'] })
    expect(project.counts).toMatchObject({
      testSets: 1,
      trainSets: 0,
      files: 0,
      runs: 1,
      reports: 1,
      models: 0,
    })
    expect(project.lastRun).toMatchObject({ id: done, state: 'done', score: null })
    for (const text of ['Flow run 1', 'poiseuille']) {
      const { data } = await server.call('search/all', { text }, me)
      expect(data.runs).toMatchObject([{ id: done, kind: 'flow' }])
    }
    const { data: status } = await server.call('toolbox/status', { ids: [done] }, me)
    expect(status.jobs).toMatchObject([{ id: done, kind: 'flow', state: 'done', progress: 100 }])
    const { data: file } = await server.call('runs/download', { id: done, kind: 'flow_numbers' }, me)
    expect(file.name).toMatch(/-flow-1-numbers\.json$/)
    expect(await (await fetch(server.url + file.url)).json()).toMatchObject({ v: 1, asked })
    const { data: ended } = await server.call('projects/setDisplays', { id: projectId, displays: [] }, me)
    expect(ended).toMatchObject({ error: 'display_needed' })
  })

  it('is foreseen by its voxels and frames, surely once one has ended', async () => {
    const foresee = await createForecaster(server.ctx.db)
    const of = (frames: number) => {
      const cost = flowWork({ size: [24, 24, 24], frames })
      return foresee({ kind: 'flow', task: 'flow', network: '', hyper: null, cost })
    }
    expect(of(3).isSure).toBe(true)
    expect(of(3000).seconds).toBeGreaterThan(100 * (of(3).seconds - of(1).seconds))
    expect((await steps.run(me, done)).run.foreseenSeconds).toBeGreaterThan(0)
  })

  it('takes its bytes along when it is deleted for good, and the studies stay', async () => {
    const queued = await steps.start(me, { projectId, studyId }, { ...asked, seed: 8 })
    const run = await steps.ended(me, queued.id)
    const { values } = await steps.run(me, run.id)
    const own = run.artifacts.find(({ kind }) => kind === 'flow_numbers')?.sha256 ?? ''
    expect((await server.call('runs/remove', { id: run.id }, me)).code).toBe(10200)
    expect((await fetch(server.url + values)).status).toBe(404)
    expect((await server.call('runs/restore', { id: run.id }, me)).code).toBe(10200)
    expect((await fetch(server.url + values)).status).toBe(200)
    await server.call('runs/remove', { id: run.id }, me)
    expect((await server.call('runs/purge', { ids: [run.id] }, me)).data).toEqual({ purged: 1 })
    const { rows } = await server.ctx.pool.query(
      `select (select count(*)::int from run_flow where run_id = $1) as flow,
        (select count(*)::int from run_artifacts where sha256 = $2) as kept`,
      [run.id, own],
    )
    expect(rows).toEqual([{ flow: 0, kept: 0 }])
    expect((await server.call('flow/study', { id: studyId }, me)).data.state).toBe('ready')
  })
})

describe('planes', () => {
  const keep = (runId: string, sections: FlowSection[]) =>
    server.call('flow/keepSections', { runId, sections }, me)

  it('are measured, and what is lost between them is told', async () => {
    const { data } = await keep(done, [acrossPipe(6), acrossPipe(16)])
    expect(data.sections).toMatchObject([
      { name: 'At 6', numbers: null, refusal: null },
      { name: 'At 16', numbers: null, refusal: null },
    ])
    const { sections, massBalance } = await steps.measured(me, done)
    const [one, other] = sections.map(({ numbers }) => numbers)
    expect(one?.rate).toHaveLength(3)
    expect(Math.abs(one?.rate[0] ?? 0)).toBeGreaterThan(1e-6)
    // Planes along one vessel.
    expect(Math.abs((other?.rate[0] ?? 0) / (one?.rate[0] ?? 1) - 1)).toBeLessThan(0.03)
    expect(massBalance).toMatchObject({ name: 'massBalance', colour: 'green' })
  })

  it('beside all vessels have no numbers but a reason; those before are gone', async () => {
    await keep(done, [{ ...acrossPipe(6, { name: 'Beside' }), centre: [0, 0, 0.012] }])
    const { sections, massBalance } = await steps.measured(me, done)
    expect(sections).toMatchObject([{ name: 'Beside', numbers: null, refusal: 'centre_outside_mask' }])
    expect(massBalance).toBeNull()
    expect((await keep(done, [])).data.sections).toEqual([])
    expect(await steps.run(me, done)).toMatchObject({ sections: [], isMeasuring: false })
  })

  it('replaced while they are measured are measured as they are now', async () => {
    const names = ['one', 'two', 'three', 'four']
    for (const name of names) await keep(done, [acrossPipe(10, { name })])
    const { sections } = await steps.measured(me, done)
    expect(sections).toMatchObject([{ name: 'four', numbers: { rate: expect.any(Array) } }])
  })

  it('are kept of runs that are done alone', async () => {
    const waiting = await steps.start(me, { projectId, studyId })
    await server.call('runs/stop', { id: waiting.id }, me)
    const { data } = await keep(waiting.id, [acrossPipe(6)])
    expect(data).toMatchObject({ error: 'flow_run_not_done' })
    await steps.ended(me, waiting.id)
  })
})

describe('pictures', () => {
  const keep = (body: string, caption = 'Arch') =>
    server.call('flow/keepFigure', { runId: done, caption, png: body }, me)

  it('are kept, shown and taken out', async () => {
    const { data } = await keep(png(40, 30))
    const [figure] = data.figures
    expect(figure).toMatchObject({ caption: 'Arch', width: 40, height: 30 })
    const answer = await fetch(server.url + figure?.url)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(png(40, 30))
    expect((await steps.run(me, done)).figures).toHaveLength(1)
    const gone = await server.call('flow/removeFigure', { runId: done, figureId: figure?.id ?? '' }, me)
    expect(gone.data.figures).toEqual([])
    expect((await fetch(server.url + figure?.url)).status).toBe(404)
    const twice = await server.call('flow/removeFigure', { runId: done, figureId: figure?.id ?? '' }, me)
    expect(twice.data).toMatchObject({ error: 'missing' })
  })

  it('that are none, or too large, are refused with a word', async () => {
    const bytes = Buffer.from(png(), 'base64')
    const broken = Buffer.from(bytes)
    broken.writeUInt32BE(9, 16)
    const large = Buffer.concat([bytes.subarray(0, 33), Buffer.alloc(limits.figureBytes), bytes.subarray(33)])
    for (const one of [Buffer.from('GIF89a'), bytes.subarray(0, 60), broken, large, Buffer.alloc(0)]) {
      const { data, message } = await keep(one.toString('base64'))
      expect(data).toMatchObject({ error: 'flow_figure_unfit' })
      expect(message).toContain('6 MB')
    }
    expect((await keep(png(), ' ')).code).not.toBe(10200)
  })

  it('are so many of one run', async () => {
    const all = await Promise.all(
      Array.from({ length: limits.figures + 3 }, (_, index) => keep(png(8 + index))),
    )
    expect(all.filter(({ code }) => code === 10200)).toHaveLength(limits.figures)
    expect(all.find(({ code }) => code !== 10200)?.message).toContain(String(limits.figures))
  })
})

describe('files', () => {
  it('go into the cloud, count there, and the mask serves another run', async () => {
    const before = await used(me)
    const { data: mask } = await server.call('flow/keepFile', { runId: done, kind: 'flow_mask' }, me)
    expect(mask.name).toBe('poiseuille 1 mask.nii.gz')
    const { data: again } = await server.call('flow/keepFile', { runId: done, kind: 'flow_mask' }, me)
    expect(again.name).not.toBe(mask.name)
    const { data: list } = await server.call('files/list', { folderId: null }, me)
    const file = list.entries.find(({ id }) => id === mask.fileId)
    expect(await used(me)).toBe(before + 2 * (file?.sizeBytes ?? 0))
    const what = { ...asked, mask: { kind: 'file' as const, fileId: mask.fileId } }
    const run = await steps.ended(me, (await steps.start(me, { projectId, studyId }, what)).id)
    const [own, first] = [await steps.run(me, run.id), await steps.run(me, done)]
    expect(own.results?.mask).toMatchObject({ kind: 'file', level: null, voxels: first.results?.mask.voxels })
  })

  it('of another grid are told as the reason why nothing was computed', async () => {
    const other = await steps.study(me, { side: 16 })
    const what = { kind: 'flow_mask' as const, folderId: null }
    const { data: mask } = await server.call('flow/keepFile', { runId: done, ...what }, me)
    const project = await steps.project(me, other)
    const queued = await steps.start(
      me,
      { projectId: project, studyId: other },
      { ...asked, mask: { kind: 'file', fileId: mask.fileId } },
    )
    const failed = await steps.ended(me, queued.id)
    expect(failed).toMatchObject({ state: 'failed', artifacts: [], error: { code: 'flow_not_computed' } })
    expect(failed.error?.params).toMatchObject({
      refusal: 'mask_other_grid',
      mask: '24 × 24 × 24',
      study: '16 × 16 × 16',
    })
    expect(await steps.run(me, failed.id)).toMatchObject({ results: null, values: null, before: null })
    const { data: status } = await server.call('toolbox/status', { ids: [failed.id] }, me)
    expect(status.jobs[0]?.reason?.name).toBe('flow_not_computed')
  })

  it('lie in the archive of the project and in that of the member', async () => {
    const { data: project } = await server.call('projects/archive', { id: projectId, data: true }, me)
    const whole = await unzip(Buffer.from(await (await fetch(server.url + project.url)).arrayBuffer()))
    const names = [...whole.keys()]
    expect(names).toEqual(
      expect.arrayContaining([
        'data/poiseuille.safetensors',
        ...['asked.json', 'numbers.json', 'sections.csv', 'figures/1.png', 'figures/captions.json'].map(
          (name) => `runs/001-flow/${name}`,
        ),
      ]),
    )
    expect(JSON.parse(String(whole.get('runs/001-flow/asked.json')?.bytes))).toMatchObject({ asked })
    const table = String(whole.get('runs/001-flow/sections.csv')?.bytes)
    expect(table.split('\n').filter((line) => line.includes('four'))).toHaveLength(3)
    const { data: own } = await server.call('user/export', {}, me)
    const all = await unzip(Buffer.from(await (await fetch(server.url + own.url)).arrayBuffer()))
    const listed = JSON.parse(String(all.get('runs.json')?.bytes))
    expect(listed.find(({ id }: { id: string }) => id === done)).toMatchObject({ flow: { asked } })
    const made = [...all.keys()].filter((name) => name.startsWith('runs/'))
    for (const ending of ['-asked.json', '-numbers.json', '-sections.csv', '-figures-1.png'])
      expect(made.some((name) => name.endsWith(`flow-1${ending}`))).toBe(true)
  })
})

describe('what is asked', () => {
  const start = (what: Partial<FlowRun>, at = { projectId, studyId }) =>
    server.call('flow/start', { ...at, asked: { ...asked, ...what } }, me)

  it('is refused with its reason where the study does not allow it', async () => {
    const settings = (changes: Partial<FlowRun['settings']>) => ({
      settings: { ...asked.settings, ...changes },
    })
    const cases = [
      [{ kinds: [] }, { field: 'kinds', reason: 'kind_missing' }],
      [settings({ vorticityCalculationWindow: 4 }), { reason: 'window_even', window: 4 }],
      [{ ...settings({ vorticityCalculationWindow: 3 }), fitOrder: 3 as const }, { reason: 'window_cubic' }],
    ] as const
    for (const [what, params] of cases)
      expect((await start({ ...what, kinds: 'kinds' in what ? [] : asked.kinds })).data).toMatchObject({
        error: 'flow_options_refused',
        params,
      })
  })

  it('may not name a mask that the member cannot look at, nor a study that is not ready', async () => {
    const other = await server.signUp({ vipLevel: 2 })
    await upload(server, other, { files: [{ path: 'mask.nii', bytes: Buffer.from('x') }] })
    const { data } = await server.call('files/list', { folderId: null }, other)
    const fileId = data.entries[0]?.id ?? ''
    expect((await start({ mask: { kind: 'file', fileId } })).data).toMatchObject({ error: 'missing' })
    await server.ctx.pool.query(
      `insert into flow_studies (id, owner_id, name, source_ids, step, state, created_at)
       values ('asked1', $1, 'x', '{}', 'look', 'asked', now())`,
      [me.userId],
    )
    await server.call('flow/addToProject', { projectId, studyId: 'asked1' }, me)
    const { data: early } = await start({}, { projectId, studyId: 'asked1' })
    expect(early).toMatchObject({ error: 'study_not_ready' })
    const { data: list } = await server.call('flow/projectStudies', { projectId }, me)
    expect(list).toMatchObject({ missing: [], studies: [{ id: 'asked1', isOwn: true }, { id: studyId }] })
    await server.call('flow/takeFromProject', { projectId, studyId: 'asked1' }, me)
    expect((await server.call('flow/projectStudies', { projectId }, me)).data.studies).toHaveLength(1)
  })
})
