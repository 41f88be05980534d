/** DICOM that a network is applied to becomes the very pictures that it would have learned from. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { asFound } from '@neuroloom/contract/reading/reading'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDicom, drawReport } from '../../../../test/dicom.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { hasEnded, startQuick, until } from '../../../../test/training.ts'
import { type TestFile, upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { look } from '../../datasets/jobs.ts'
import { work } from '../../files/convert/work.ts'
import { type Runner, startRunner } from '../queue/jobs.ts'

let server: TestServer
let runner: Runner | null = null
beforeAll(async () => {
  server = await makeServer()
})
afterAll(async () => {
  await runner?.stop()
  await server.close()
})

const window = { center: 120, width: 500 }
/** Two kinds: bright in the middle, or at the edge. */
const picture = (kind: number, seed: number) =>
  drawDicom({
    at: (x, y) => {
      const isMiddle = Math.abs(x - 16) < 9 && Math.abs(y - 16) < 9
      return (isMiddle === (kind === 0) ? 300 : 20) + ((x * (seed + 3) + y * 7) % 60)
    },
    study: `2.25.${seed}${kind}`,
    series: `2.25.9${seed}${kind}`,
  })

it('says the same of a DICOM file as of the picture that a conversion makes of it', async () => {
  const owner = await server.signUp({ vipLevel: 4 })
  const files = [0, 1].flatMap((kind) =>
    Array.from({ length: 12 }, (_, seed) => ({ path: `set/${kind}/${seed}`, bytes: picture(kind, seed) })),
  )
  const folderId = (await upload(server, owner, { files })) ?? ''
  const body = { name: 'DICOM', task: 'classification' as const }
  const { data: project } = await server.call('projects/create', body, owner)
  const { data } = await server.call('datasets/recognise', { projectId: project.id, folderId }, owner)
  const worker = makeWorker(server)
  await look(worker, data.id)
  await server.call('datasets/readAs', { id: data.id, reading: { ...asFound, window } }, owner)
  await look(worker, data.id)
  runner = startRunner(worker)
  const { data: set } = await server.call('datasets/detail', { id: data.id }, owner)
  const run = await startQuick(server, owner, {
    set: {
      ...{ projectId: project.id, datasetId: data.id, task: 'classification' },
      parts: set.parts.map(({ id }) => id),
    },
    hyper: { epochs: 1 },
  })
  expect((await until(server, owner, { id: run.id, is: hasEnded })).state).toBe('done')

  const fresh = [
    { path: 'new/IM1', bytes: picture(0, 40) },
    { path: 'new/two.dcm', bytes: picture(1, 41) },
    { path: 'new/report.dcm', bytes: drawReport() },
  ]
  const newId = (await upload(server, owner, { files: fresh })) ?? ''
  const { data: entries } = await server.call('files/list', { folderId: newId }, owner)
  const ids = entries.entries.filter(({ name }) => name !== 'report.dcm').map(({ id }) => id)
  const { data: asked } = await server.call(
    'files/convert',
    { ids, format: 'png', options: { window } },
    owner,
  )
  await work(server.ctx, asked.id)
  const { data: predicted } = await server.call('runs/predict', { id: run.id, folderId: newId }, owner)
  const done = await until(server, owner, { id: predicted.id, is: hasEnded })
  expect(done).toMatchObject({ state: 'done', counts: { predicted: 4 } })
  const kind = 'predictions_csv' as const
  const { data: link } = await server.call('runs/download', { id: predicted.id, kind }, owner)
  const csv = await (await fetch(`${server.url}${link.url}`)).text()
  // The name, the class and the chance of each class.
  const rows = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(','))
  const told = new Map(rows.map(([name = '', ...answer]) => [name, answer]))
  expect([...told.keys()].sort()).toEqual(['IM1', 'IM1.png', 'two.dcm', 'two.png'])
  expect(told.get('IM1')).toEqual(told.get('IM1.png'))
  expect(told.get('two.dcm')).toEqual(told.get('two.png'))
  expect(told.get('IM1')).not.toEqual(told.get('two.dcm'))
  const { data: aside } = await server.call('runs/setAside', { id: predicted.id }, owner)
  expect(aside.setAside).toEqual([{ name: 'report.dcm', reason: 'dicom_no_picture' }])

  for (const [name = '', ...chances] of await byProgram(owner, run.id, fresh.slice(0, 2))) {
    const wanted = told.get(name)?.slice(1) ?? []
    expect(chances).toHaveLength(2)
    for (const [index, chance] of chances.entries())
      expect(Number(chance)).toBeCloseTo(Number(wanted[index]), 4)
  }
})

/** The lines that the downloaded program writes of files, with the downloaded weights. */
async function byProgram(owner: Session, id: string, files: readonly TestFile[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'program-'))
  try {
    const { data: program } = await server.call('runs/program', { id }, owner)
    const { data: link } = await server.call('runs/download', { id, kind: 'weights' }, owner)
    const weights = await (await fetch(`${server.url}${link.url}`)).arrayBuffer()
    await writeFile(join(folder, 'program.py'), program.text)
    await writeFile(join(folder, 'weights.safetensors'), Buffer.from(weights))
    const names = files.map(({ path }) => basename(path))
    for (const [index, { bytes }] of files.entries()) await writeFile(join(folder, names[index] ?? ''), bytes)
    const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
    const { stdout } = await promisify(execFile)(python, ['program.py', 'weights.safetensors', ...names], {
      cwd: folder,
    })
    expect(stdout).not.toContain('cannot be read')
    const lines = (await readFile(join(folder, 'predictions.csv'), 'utf8')).trim().split('\r\n').slice(1)
    expect(lines).toHaveLength(files.length)
    return lines.map((line) => line.split(','))
  } finally {
    await rm(folder, { recursive: true })
  }
}
