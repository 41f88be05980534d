/** What survives `kill -9`: a training goes on by itself and ends with the weights of an unbroken one. */
import type { Answer } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, poll, signIn, untilDeviceIsTold } from '../../bench/client.ts'
import { childWith, type Product, removeData, startProduct } from '../stack.ts'

type Run = Answer<'runs/detail'>['run']

let product: Product
let client: Client
let projectId: string
let parts: string[]

beforeAll(async () => {
  product = await startProduct()
  client = await signIn(product)
  const { projects } = await client.call('projects/list', {})
  projectId = projects.find(({ task }) => task === 'classification')?.id ?? ''
  const { datasets } = await client.call('datasets/list', { projectId })
  const ready = await poll(
    () => client.call('datasets/detail', { id: datasets[0]?.id ?? '' }),
    ({ state }) => state !== 'checking',
  )
  parts = ready.parts.map(({ id }) => id)
  await untilDeviceIsTold(client)
})

afterAll(async () => {
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

describe('a training whose machine is struck', () => {
  let unbroken: string

  test('an unbroken training gives the weights to compare with', async () => {
    unbroken = weightsOf(await ended(await start()))
  })

  test('kill -9 of the worker in the middle of an epoch: it goes on by itself and ends with the same weights', async () => {
    const id = await start()
    await midEpoch(id)
    process.kill(await childWith(product.process.pid ?? 0, /worker\.js/), 'SIGKILL')
    const run = await ended(id)
    expect(run.resumed).toBeGreaterThanOrEqual(1)
    expect(weightsOf(run)).toBe(unbroken)
  })

  test('kill -9 of the HTTP server: the training never notices and the page finds everything again', async () => {
    const id = await start()
    await midEpoch(id)
    process.kill(await childWith(product.process.pid ?? 0, /main\.js/), 'SIGKILL')
    await poll(
      () =>
        fetch(`${product.url}/AI/api/setting/public`, { method: 'POST' }).then(
          (answer) => answer.ok,
          () => false,
        ),
      Boolean,
      // An end for what hangs: beside other work a start alone may take half a minute.
      { limitMs: 240_000 },
    )
    const run = await ended(id)
    expect(run.resumed).toBe(0)
    expect(weightsOf(run)).toBe(unbroken)
  })

  test('kill -9 of everything, PostgreSQL too: after the next start the training goes on and ends with the same weights', async () => {
    const id = await start()
    await midEpoch(id)
    await killAll(product)
    product = await startProduct({ dataDir: product.dataDir })
    client = await signIn({ ...product, member: lastMember })
    const run = await ended(id)
    expect(run.resumed).toBeGreaterThanOrEqual(1)
    expect(weightsOf(run)).toBe(unbroken)
  })
})

let lastMember: Product['member'] = null

async function start(): Promise<string> {
  lastMember ??= product.member
  const { id } = await client.call('runs/start', {
    projectId,
    parts,
    network: 'small_resnet',
    // The demo member is gold and may tune: enough short epochs to be struck in the middle of one.
    hyper: { epochs: 6, seed: 11 },
  })
  return id
}

const midEpoch = (id: string) =>
  poll(
    () => client.call('runs/detail', { id }),
    ({ run }) => run.progress !== null && run.progress.epoch >= 2 && run.progress.step < run.progress.steps,
    { everyMs: 30, limitMs: 240_000 },
  )

async function ended(id: string): Promise<Run> {
  const { run } = await poll(
    () => client.call('runs/detail', { id }),
    ({ run }) => ['done', 'failed', 'stopped'].includes(run.state),
    { limitMs: 240_000 },
  )
  expect(run.error).toBeNull()
  expect(run.state).toBe('done')
  return run
}

const weightsOf = (run: Run): string => run.artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? 'none'

/** Ends the supervisor and all below it at once, as a power cut would. */
async function killAll({ process: supervisor }: Product) {
  const { readdir, readFile } = await import('node:fs/promises')
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    if (/^\d+$/.test(name) && stat)
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isBelow = (pid: number): boolean =>
    pid === supervisor.pid || (parents.has(pid) && isBelow(parents.get(pid) ?? 0))
  const family = [...parents.keys()].filter((pid) => pid > 1 && isBelow(pid))
  for (const pid of family) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone with its parent.
    }
  }
}
