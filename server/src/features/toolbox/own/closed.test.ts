import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { hasEnded, startQuick, until } from '../../../../test/training.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { cellKinds, drawCell } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import type { WorkerContext } from '../../../infra/context.ts'
import { look } from '../../datasets/jobs.ts'
import { work } from '../../recipes/work.ts'
import { startRunner } from '../../runs/queue/jobs.ts'
import { runInputs } from '../../runs/tables.ts'

let server: TestServer
let worker: WorkerContext
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  worker = makeWorker(server)
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

it('what is trained on images that a shared tool prepared replays its steps, and tells them nowhere', {
  timeout: 120_000,
}, async () => {
  const maker = await server.signUp({ password: null, vipLevel: 2 })
  const user = await server.signUp({ password: null, vipLevel: 4 })
  const folderId = await prepareWith(await givenTool(maker, user), user)
  const { data: project } = await server.call(
    'projects/create',
    { name: 'Cells', task: 'classification' },
    user,
  )
  const { data: made } = await server.call('datasets/recognise', { projectId: project.id, folderId }, user)
  await look(worker, made.id)
  const { data: dataset } = await server.call('datasets/detail', { id: made.id }, user)
  const set = {
    ...{ projectId: project.id, datasetId: dataset.id, parts: dataset.parts.map(({ id }) => id) },
    task: 'classification' as const,
  }
  const runner = startRunner(makeWorker(server))
  const { id } = await startQuick(server, user, { set, hyper: { epochs: 1 } })
  const trained = await until(server, user, { id, is: hasEnded })
  await runner.stop()
  expect(trained.state).toBe('done')

  const [inputs] = await server.ctx.db.select().from(runInputs).where(eq(runInputs.runId, id))
  expect(inputs?.recipe).toMatchObject({ isClosed: true, steps: [{ do: 'clahe', clip: 3.21 }] })
  const { data: told } = await server.call('runs/recipe', { id }, user)
  expect(told.recipe).toMatchObject({ name: 'Even light', isClosed: true, steps: [] })
  for (const kind of ['weights', 'onnx', 'torchscript'] as const) {
    const { data } = await server.call('runs/download', { id, kind }, user)
    const bytes = Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
    expect({ kind, isTold: bytes.includes('3.21') || bytes.includes('clahe') }).toEqual({
      kind,
      isTold: false,
    })
  }
  const { data: program } = await server.call('runs/program', { id }, user)
  expect(program.text).not.toContain('CARRIED_CODE')
  // The maker sees neither the images nor what was trained on them.
  expect((await server.call('runs/detail', { id }, maker)).data.error).toBe('run_missing')
})

async function givenTool(maker: Session, user: Session & { account: string }): Promise<string> {
  const recipe = { v: 1 as const, steps: [{ do: 'clahe' as const, tiles: 4, clip: 3.21 }] }
  const { data: kept } = await server.call('recipes/keep', { name: 'Mine', recipe }, maker)
  const about = { of: 'recipe' as const, sourceId: kept.id, name: 'Even light', picture: 'eye' as const }
  const { data: tool } = await server.call('toolbox/makeTool', about, maker)
  await server.call('toolbox/shareTool', { id: tool.id, account: user.account }, maker)
  return tool.id
}

/** The folder with what the tool made of cells of several kinds. */
async function prepareWith(toolId: string, user: Session): Promise<string> {
  const files = Array.from({ length: 30 }, (_, index) => {
    const kind = cellKinds[index % cellKinds.length] ?? 'round'
    return { path: `cells/${kind}/${index}.png`, bytes: encodePng(drawCell(kind, 5000 + index, 32)) }
  })
  const folderId = (await upload(server, user, { files })) ?? ''
  const asked = { id: toolId, folderId, name: 'even' }
  const { data: begun } = await server.call('toolbox/prepareByTool', asked, user)
  await work(worker, begun.id)
  const { data } = await server.call('recipes/works', { ids: [begun.id] }, user)
  return data.works[0]?.resultId ?? ''
}
