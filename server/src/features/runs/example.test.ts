import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../test/training.ts'
import { unzip } from '../../../test/unzip.ts'
import { addBlob } from '../../infra/storage/blobs.ts'
import { storeText } from './queue/outputs.ts'
import { runArtifacts, runInputs, runs } from './tables.ts'

let server: TestServer
let owner: Session
let other: Session
let set: TrainingSet
beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp({ password: null, vipLevel: 4, nickName: 'Owner' })
  other = await server.signUp({ vipLevel: 1 })
  set = await makeTrainingSet(server, owner, { name: 'cells' })
})
afterAll(() => server.close())

const facts = { task: 'classification', classes: ['flach', 'süß'], channels: 1 }
/** As the engine writes it: a graph, then its facts at the end. */
const onnx = (content: string): string => `\b\bgraph\n\tneuroloom\u0012A${content}`

async function trained(content = onnx(JSON.stringify(facts))): Promise<string> {
  const { id } = await startQuick(server, owner, { set })
  const file = await storeText(server.ctx, content)
  await server.ctx.db.transaction(async (tx) => {
    await addBlob(tx, file)
    await tx.insert(runArtifacts).values({ runId: id, kind: 'onnx', ...file })
  })
  return id
}

describe('runs/program', () => {
  it('gives the trained network as a program, to those who may see the run, once there are weights', async () => {
    const { id } = await startQuick(server, owner, { set })
    expect((await server.call('runs/program', { id }, owner)).data.error).toBe('missing')
    const file = await storeText(server.ctx, 'weights')
    await server.ctx.db.transaction(async (tx) => {
      await addBlob(tx, file)
      await tx.insert(runArtifacts).values({ runId: id, kind: 'weights', ...file })
    })
    const { data } = await server.call('runs/program', { id }, owner)
    expect(data.name).toMatch(/^Project of cells-run-\d+\.py$/)
    // As many as the training has classes.
    expect(data.text).toContain('# out: main (batch, 3)')
    expect(data.text).toContain('Trained("weights.safetensors").predict("picture.png")')
    expect((await server.call('runs/program', { id }, other)).data.error).toBe('run_missing')
    // Written beside the server, where each member stands in one line: many at once keep nobody else waiting.
    const many = await Promise.all(
      Array.from({ length: 12 }, () => server.call('runs/program', { id }, owner)),
    )
    const said = many.map(({ code, data }) => (code === 10200 ? data.text : data.error))
    expect(said).toEqual(expect.arrayContaining([data.text, 'too_much_at_once']))
  })
})

describe('runs/example', () => {
  it('gives network, facts, and programs that use them, in three languages', async () => {
    const id = await trained()
    const { data: link } = await server.call('runs/example', { id }, owner)
    expect(link.name).toMatch(/^Project of cells-run-\d+-example\.zip$/)
    const response = await fetch(server.url + link.url)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('cache-control')).toContain('no-store')
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const text = (path: string): string => files.get(path)?.bytes.toString() ?? ''
    expect(JSON.parse(text('model.json'))).toEqual(facts)
    expect(text('model.onnx')).toBe(onnx(JSON.stringify(facts)))
    expect(text('python/requirements.txt')).toContain('onnxruntime')
    for (const language of ['en', 'zh', 'ru']) expect(text(`README.${language}.txt`)).toContain('predict.py')
    // There where it was built.
    if (existsSync(join(import.meta.dirname, '../../../../web/example/dist'))) {
      expect(text('browser/index.html')).toContain('<script type="module"')
      expect(text('browser/LICENSES.txt')).toMatch(/onnxruntime-web .*MIT/)
      expect([...files.keys()].some((name) => /^browser\/assets\/ort-wasm.*\.wasm$/.test(name))).toBe(true)
    }
    const folder = mkdtempSync(join(tmpdir(), 'example-'))
    for (const name of ['predict.py', 'dicom_pictures.py', 'pictures.py', 'volumes.py'])
      writeFileSync(join(folder, name), text(`python/${name}`))
    const help = spawnSync('/usr/bin/python3', [join(folder, 'predict.py'), '--help'], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(help.stdout).toContain('Runs a trained network on pictures or volumes')
  })

  it('comes for volumes with a program of their own, without the page that reads pictures', async () => {
    const id = await trained(onnx(JSON.stringify({ ...facts, task: 'volume_segmentation' })))
    await server.ctx.db.update(runs).set({ task: 'volume_segmentation' }).where(eq(runs.id, id))
    const { data: link } = await server.call('runs/example', { id }, owner)
    const response = await fetch(server.url + link.url)
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    expect([...files.keys()].sort()).toEqual([
      ...['README.en.txt', 'README.ru.txt', 'README.zh.txt', 'model.json', 'model.onnx'],
      ...['python/dicom_pictures.py', 'python/pictures.py', 'python/predict.py', 'python/requirements.txt'],
      'python/volumes.py',
    ])
    for (const language of ['en', 'zh', 'ru']) {
      expect(files.get(`README.${language}.txt`)?.bytes.toString()).toContain('scan.nii.gz')
    }
  })

  it('comes, like the program, with what prepares files where the training had prepared ones', async () => {
    const id = await trained()
    const weights = await storeText(server.ctx, 'weights')
    await server.ctx.db.transaction(async (tx) => {
      await addBlob(tx, weights)
      await tx.insert(runArtifacts).values({ runId: id, kind: 'weights', ...weights })
      const steps = [{ do: 'grey' as const }]
      await tx
        .update(runInputs)
        .set({ recipe: { v: 1, steps } })
        .where(eq(runInputs.runId, id))
    })
    const { data: link } = await server.call('runs/example', { id }, owner)
    const response = await fetch(server.url + link.url)
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    expect(files.get('python/neuroloom_engine/recipe/replay.py')?.bytes.toString()).toContain('def replay(')
    for (const language of ['en', 'zh', 'ru'])
      expect(files.get(`README.${language}.txt`)?.bytes.toString()).toContain('python/neuroloom_engine')
    const { data: program } = await server.call('runs/program', { id }, owner)
    expect(program.text).toContain("\"neuroloom_engine/recipe/replay.py\": r'''")
  })

  it('is refused to others, without a network, and of one that says nothing of itself', async () => {
    const id = await trained()
    expect((await server.call('runs/example', { id }, other)).data.error).toBe('run_missing')
    expect((await server.call('runs/example', { id })).data.error).toBe('not_signed_in')
    const { id: untrained } = await startQuick(server, owner, { set })
    expect((await server.call('runs/example', { id: untrained }, owner)).data.error).toBe('missing')
    const silent = await trained('a network of another maker')
    const { data: link } = await server.call('runs/example', { id: silent }, owner)
    const response = await fetch(server.url + link.url)
    expect(response.headers.get('content-type')).toContain('json')
  })

  it('has addresses that nobody can alter', async () => {
    const { data: link } = await server.call('runs/example', { id: await trained() }, owner)
    const response = await fetch(`${server.url}${link.url.slice(0, -3)}abc`)
    expect(response.headers.get('content-type')).toContain('json')
  })
})
