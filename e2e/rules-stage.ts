/** What the rules of training and testing are met with: runs in each state, and data as people should not bring them. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from '@neuroloom/contract/calls'
import type { Page } from 'playwright-core'
import { type Client, connect, poll, uploadFolder } from '../bench/client.ts'
import { type CellKind, drawCell, drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { write } from './data.ts'

/** The session of whoever has signed in on a page. */
export async function clientOf(page: Page, url: string): Promise<Client> {
  const session = await page.evaluate(() => ({
    token: localStorage.getItem('token') ?? '',
    userId: String(JSON.parse(localStorage.getItem('userInfo') ?? '{}').id),
  }))
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return connect(url, { 'content-type': 'application/json', cookie, ...session })
}

export type Stage = Awaited<ReturnType<typeof makeStage>>

type Wish = {
  /** Has access to one project already. */
  colleague: string
  /** With runs in each state; else with data, and with as many trained networks as the lowest level does not hold. */
  isWhole: boolean
}

/** Everything that the rules are met with, by ids. */
export async function makeStage(client: Client, { colleague, isWhole }: Wish) {
  const { projects } = await client.call('projects/list', {})
  const ready = projects.find(({ task }) => task === 'classification')?.id ?? ''
  const { id: datasetId, parts } = await dataOf(client, ready)
  const start = async (network: string, epochs: number, more: { imageSize?: [number, number] } = {}) =>
    (await client.call('runs/start', { projectId: ready, parts, network, hyper: { epochs, ...more } })).id
  const trained = await start('small_resnet', 1, { imageSize: [32, 32] })
  await until(client, trained, 'done')
  const { id: tested } = await client.call('runs/test', { id: trained, datasets: [datasetId] })
  const unsteady = isWhole ? await makeUnsteady(client, start) : { exploded: '', long: '', waiting: '' }
  await client.call('projects/share', { id: ready, account: colleague, permission: 'view' })
  const empty = await makeProject(client, { name: 'Empty', task: 'classification' })
  const few = await makeProject(client, {
    name: 'Few',
    task: 'classification',
    files: cells({ round: 12, clustered: 12 }),
  })
  const single = await makeProject(client, {
    name: 'Single',
    task: 'classification',
    files: cells({ round: 4 }),
  })
  const mispaired = await makeProject(client, {
    name: 'Mispaired',
    task: 'segmentation',
    files: wrongPairs(),
  })
  if (isWhole) await until(client, unsteady.long, 'running')
  const release = () => client.call('runs/stop', { id: unsteady.long })
  return { ready, trained, tested, ...unsteady, release, empty, few, single, mispaired }
}

/** A training whose numbers explode, one that holds the device until it is stopped, and one that waits for it. */
async function makeUnsteady(client: Client, start: (network: string, epochs: number) => Promise<string>) {
  const { id: tooLoud } = await client.call('networks/create', { name: 'Too loud', text: loud })
  return {
    exploded: await start(tooLoud, 1),
    long: await start('small_resnet', 2000),
    waiting: await start('small_resnet', 1),
  }
}

const until = (client: Client, id: string, state: Answer<'runs/detail'>['run']['state']) =>
  poll(
    () => client.call('runs/detail', { id }),
    ({ run }) => run.state === state,
  )

/** Of a project’s data set, once it has been looked at. */
async function dataOf(client: Client, projectId: string) {
  const { datasets } = await poll(
    () => client.call('datasets/list', { projectId }),
    ({ datasets }) => datasets.every(({ state }) => state !== 'checking'),
  )
  const [dataset] = datasets
  return { id: dataset?.id ?? '', parts: dataset?.parts.map(({ id }) => id) ?? [] }
}

type Wanted = { name: string; task: 'classification' | 'segmentation'; files?: Record<string, Uint8Array> }

async function makeProject(client: Client, { name, task, files = {} }: Wanted): Promise<string> {
  const { id } = await client.call('projects/create', { name, task })
  if (Object.keys(files).length === 0) return id
  const folder = mkdtempSync(join(tmpdir(), 'rules-'))
  for (const [path, bytes] of Object.entries(files)) write(join(folder, path), bytes)
  const { folderId } = await uploadFolder(client, folder, { name })
  await client.call('datasets/recognise', { projectId: id, folderId })
  await dataOf(client, id)
  return id
}

function cells(counts: Partial<Record<CellKind, number>>): Record<string, Uint8Array> {
  const kinds = Object.entries(counts) as [CellKind, number][] // Its keys are kinds.
  return Object.fromEntries(
    kinds.flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, index) => [
        `${kind}/${index}.png`,
        encodePng(drawCell(kind, index + 1)),
      ]),
    ),
  )
}

/** One image without a mask, and one whose mask is half as large. */
function wrongPairs(): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = { 'images/alone.png': encodePng(drawField(90, 64).image) }
  for (let index = 0; index < 12; index++) {
    files[`images/${index}.png`] = encodePng(drawField(index + 1, 64).image)
    files[`masks/${index}.png`] = encodePng(drawField(index + 1, index === 0 ? 32 : 64).mask)
  }
  return files
}

/** A network whose numbers leave the range of floats in the first step. */
const loud = `dripe: 1
name: too_loud
task: classification
params: {classes: {type: int, default: 3, role: classes}, channels: {type: int, default: 1, role: channels}}
inputs: {image: {kind: image, channels: =channels, size: [64, 64]}}
nodes:
  look: {op: conv_bn_relu, out: 4}
  gap: globalavg
  logits: {op: linear, out: =classes}
  louder: {op: scale, value: 10000, repeat: 12}
heads: {main: {task: classification, from: louder}}
`
