import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineEvent, type FlowSpec, runSpecSchema } from '@neuroloom/contract/engine'
import { NO_VALUE, VENC_UNITS } from '@neuroloom/contract/flow/study'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { engineFolder, spawnEngine } from './process.ts'

const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-flow-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('looks at files of flow and makes a study of them, in the words of the contract', async () => {
  const lines = ['# vtk DataFile Version 3.0', 'поток', 'ASCII', 'DATASET STRUCTURED_POINTS']
  lines.push(
    'DIMENSIONS 2 2 2',
    'ORIGIN 0 0 0',
    'SPACING 1.5 1.5 2',
    'POINT_DATA 8',
    'VECTORS velocity float',
  )
  lines.push('0.5 -0.25 nan', ...Array.from({ length: 7 }, () => '0 0 0'))
  await writeFile(join(folder, 'flow'), `${lines.join('\n')}\n`)
  const files = [{ path: join(folder, 'flow'), name: 'исследование/flow.vtk' }]

  const look = (await run('look', { do: 'look', files })).find((event) => event.type === 'flow_look')?.look
  if (!look) throw new Error('nothing was looked at')
  expect(look.series.map(({ direction, unsure }) => [direction, unsure])).toEqual(
    ['+x', '+y', '+z'].map((direction) => [direction, ['unit', 'venc']]),
  )
  expect(look.problems.filter(({ isBlocking }) => isBlocking).map(({ reason }) => reason)).toContain(
    'venc_unknown',
  )

  const refused = await run('refused', { do: 'make', files, look, answer: { series: [] } })
  expect(refused.find((event) => event.type === 'error')).toMatchObject({
    code: 'flow_refused',
    data: { problem: 'venc_unknown' },
  })

  const series = look.series.map(({ id }) => ({ id, unit: 'm/s' as const, venc: 1 }))
  const events = await run('made', { do: 'make', files, look, answer: { series } })
  const made = events.find((event) => event.type === 'flow_made')
  if (!made) throw new Error('nothing was made')
  expect(made.head).toMatchObject({ source: 'vtk', size: [2, 2, 2], frames: 1, spacing: [1.5, 1.5, 2] })
  const bytes = await readFile(join(folder, 'made', made.path))
  expect(bytes.length).toBe(made.bytes)
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const firsts = [0, 1, 2].map((component) => bytes.readInt16LE(start + component * 16))
  expect(firsts).toEqual([Math.round(VENC_UNITS / 2), -Math.round(VENC_UNITS / 4), NO_VALUE])
})

async function run(name: string, work: FlowSpec['work']): Promise<EngineEvent[]> {
  const runFolder = join(folder, name)
  await mkdir(join(runFolder, 'out'), { recursive: true })
  const common = { v: 1, run: 'flow', attempt: 1, outputs: 'out' } as const
  const bounds = { maxBytes: 2 ** 31, memoryBytes: 2 ** 31 }
  const spec: FlowSpec = { ...common, ...bounds, kind: 'flow', work }
  await writeFile(join(runFolder, 'run.json'), JSON.stringify(runSpecSchema.parse(spec)))
  const child = spawnEngine({ python, codeFolder: engineFolder, log: createLog('silent', 'test') }, ['check'])
  const events: EngineEvent[] = []
  child.give(runFolder, (event) => void events.push(event))
  await child.exited
  return events
}
