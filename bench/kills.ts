/**
 * `npm run bench -- kills`: the worker is killed 20 times at random moments of one training, which then must end with the
 * very weights of the same training left alone. Both run in one product; data are drawn here. With `--database 100` it
 * is PostgreSQL that is killed, 100 times: see database-kills.ts.
 */
import { parseArgs } from 'node:util'
import type { Answer } from '@neuroloom/contract/calls'
import { isOpen } from '@neuroloom/contract/run-states'
import { childWith, type Product, removeData, startProduct } from '../e2e/stack.ts'
import { makeCells } from './cells.ts'
import { type Client, poll, signIn, untilDeviceIsTold } from './client.ts'
import { databaseKills } from './database-kills.ts'

type Run = Answer<'runs/detail'>['run']
type Place = { product: Product; client: Client; id: string }

const KILLS = 20
const ITEMS = 48
const SIDE = 32
/** After the worker has taken the run, at most: a restart takes about as long, so some fall before the first step. */
const LATEST_MS = 4000
/** By design a run fails when it breaks off three times at one place: once more than the first time is allowed here. */
const MOST_WITHOUT_STEP = 1
const LONG_MS = 1_800_000
const hyper = {
  epochs: 150,
  batchSize: 8,
  validationInterval: 10,
  imageSize: [SIDE, SIDE],
  seed: 11,
} satisfies Partial<Run['hyper']>

async function kills() {
  const product = await startProduct()
  try {
    const client = await signIn(product)
    const start = await prepare(client)
    const unbroken = await ended(client, await start())
    const id = await start()
    await killOften({ product, client, id })
    const broken = await ended(client, id)
    report(unbroken, broken)
  } finally {
    await product.stop()
    await removeData(product.dataDir)
  }
}

/** A project with drawn cells; answers how to queue the training. */
async function prepare(client: Client): Promise<() => Promise<string>> {
  const { projectId, parts } = await makeCells(client, { name: 'Kills', items: ITEMS, side: SIDE })
  await untilDeviceIsTold(client)
  return async () => {
    const wish = { projectId, parts, network: 'small_resnet', hyper, force: true }
    return (await client.call('runs/start', wish)).id
  }
}

async function killOften({ product, client, id }: Place): Promise<void> {
  let withoutStep = 0
  let furthest = 0
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await until(
      client,
      id,
      (run) => run.state === 'running' && run.resumed === kill - 1 && run.phase !== null,
    )
    if (withoutStep < MOST_WITHOUT_STEP)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LATEST_MS))
    else await until(client, id, (run) => stepsOf(run) > furthest)
    process.kill(await childWith(product.process.pid ?? 0, /worker\.js/), 'SIGKILL')
    const { run } = await client.call('runs/detail', { id })
    withoutStep = stepsOf(run) > furthest ? 0 : withoutStep + 1
    furthest = Math.max(furthest, stepsOf(run))
    console.log(`kill ${kill}: ${run.phase}, step ${stepsOf(run)}`)
  }
}

/** Throws where the run ends before that. */
async function until(client: Client, id: string, is: (run: Run) => boolean): Promise<void> {
  const { run } = await poll(
    () => client.call('runs/detail', { id }),
    ({ run }) => is(run) || !isOpen(run),
    { everyMs: 50, limitMs: LONG_MS },
  )
  if (!isOpen(run)) throw new Error(`the run is ${run.state} already: ${JSON.stringify(run.error)}`)
}

/** Done so far; 0 before the first. */
const stepsOf = ({ progress }: Run): number =>
  progress ? (progress.epoch - 1) * progress.steps + progress.step : 0

async function ended(client: Client, id: string): Promise<Run> {
  const { run } = await poll(
    () => client.call('runs/detail', { id }),
    ({ run }) => !isOpen(run),
    { limitMs: LONG_MS },
  )
  if (run.state !== 'done') throw new Error(`the run ${run.state}: ${JSON.stringify(run.error)}`)
  return run
}

function report(unbroken: Run, broken: Run): void {
  const [wanted, found] = [unbroken, broken].map(weightsOf)
  console.log(`unbroken                ${wanted}`)
  console.log(`after ${broken.resumed} kills of ${KILLS}    ${found}`)
  const isSame = wanted === found && broken.resumed >= KILLS
  if (!isSame) process.exitCode = 1
  console.log(isSame ? 'the same weights, bit for bit: reached' : 'other weights: MISSED')
}

const weightsOf = ({ artifacts }: Run): string =>
  artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? 'none'

const { values } = parseArgs({ options: { database: { type: 'string' } } })
await (values.database ? databaseKills(Number(values.database)) : kills())
