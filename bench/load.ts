/**
 * `npm run bench -- load`: 100 mixed requests a second of several members for a minute, quiet, beside a training, and
 * beside one free account that looks into six networks of 52 KB at once, over and over. Requests leave at fixed times
 * whether or not earlier ones were answered, and their latency counts from then, so that no waiting is left out.
 * Goals: p95 ≤ 150 ms, p99 ≤ 500 ms, no error; beside the attack p95 ≤ 1.5 × quiet.
 * `-- load --seconds 10 --rate 50` is shorter and gentler.
 */
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Login, type Product, removeData, startProduct } from '../e2e/stack.ts'
import { createUser } from '../server/src/features/accounts/account.ts'
import { openDb, openPool } from '../server/src/infra/db.ts'
import { createLog } from '../server/src/infra/log.ts'
import { startPostgres } from '../server/src/infra/postgres/postgres.ts'
import { makeCells } from './cells.ts'
import { type Client, poll, signIn, untilDeviceIsTold } from './client.ts'

const options = {
  seconds: { type: 'string', default: '60' },
  rate: { type: 'string', default: '100' },
} as const
const { values } = parseArgs({ options })
const SECONDS = Number(values.seconds)
const RATE = Number(values.rate)
const MEMBERS = 6
const GOALS = { p95: 150, p99: 500, ratio: 1.5 }
const ATTACKED = 'beside the attack'
const PASSWORD = 'correct horse 1'
const WARM_MS = 3000
/** What is under way at the end of a minute is waited for so long. */
const LAST_MS = 60_000
/** The attacker looks again after a refusal; more would be a flood, which is another bench. */
const REFUSED_MS = 200

type Ask = { name: string; send: () => Promise<unknown> }
type Sample = { name: string; ms: number; error: string | null }
type Phase = { title: string; samples: Sample[]; load: string }

async function load() {
  const [busy = 0] = loadavg()
  if (busy > availableParallelism() / 2)
    console.log(
      `This machine is not quiet (load ${busy.toFixed(1)}): the figures will say more about it than about us.`,
    )
  const product = await startProduct()
  try {
    const [attacker, ...members] = await signInAll(product)
    if (!attacker) throw new Error('nobody signed in')
    const asks = await prepare(members)
    await run(asks, { title: 'warm', ms: WARM_MS })
    const ms = SECONDS * 1000
    const quiet = await run(asks, { title: 'quiet', ms })
    const stopTraining = await train(await signIn(product))
    const training = await run(asks, { title: 'beside a training', ms })
    await stopTraining()
    const { stop, counts } = attack(attacker)
    const attacked = await run(asks, { title: ATTACKED, ms })
    await stop()
    report([quiet, training, attacked], counts)
  } finally {
    await product.stop()
    await removeData(product.dataDir)
  }
}

/** Free accounts, made in the product's own database, which runs already. The first one attacks. */
async function signInAll(product: Product): Promise<Client[]> {
  const postgres = await startPostgres({ folder: join(product.dataDir, 'postgres') })
  const pool = openPool(postgres.url('neuroloom'), createLog('error', 'bench'), 1)
  const logins: Login[] = []
  for (let number = 0; number <= MEMBERS; number += 1) {
    const login = { account: `member${number}@bench.test`, password: PASSWORD }
    await createUser(openDb(pool), { ...login, nickName: `Member ${number}`, vipLevel: 1 })
    logins.push(login)
  }
  await pool.end()
  const clients: Client[] = []
  for (const login of logins) clients.push(await signIn(product, login))
  return clients
}

/** What each member has, and the requests of their pages. */
async function prepare(members: readonly Client[]): Promise<Ask[]> {
  const asks: Ask[] = []
  for (const client of members) {
    const { projectId, folderId } = await makeCells(client, { name: 'Load', items: 24, side: 32 })
    const { id: networkId, text } = await client.call('networks/create', { name: 'Own', text: textOf(1) })
    const look = { text, nodes: ['layer0'], image: { from: 'sample' as const }, runId: null }
    const page: Ask[] = [
      { name: 'files/list', send: () => client.call('files/list', { folderId }) },
      { name: 'user/info', send: () => client.call('user/info', {}) },
      { name: 'notice/list', send: () => client.call('notice/list', {}) },
      { name: 'projects/detail', send: () => client.call('projects/detail', { id: projectId }) },
      { name: 'runs/list', send: () => client.call('runs/list', { projectId }) },
      { name: 'networks/open', send: () => client.call('networks/open', { id: networkId }) },
      { name: 'files/list', send: () => client.call('files/list', { folderId: null }) },
      { name: 'networks/mine', send: () => client.call('networks/mine', {}) },
      { name: 'user/size', send: () => client.call('user/size', {}) },
      { name: 'datasets of a project', send: () => client.call('datasets/list', { projectId }) },
    ]
    // A look is work of a tenth of a second: one in 120 requests.
    for (let round = 0; round < 12; round += 1) asks.push(...page)
    asks[asks.length - 1] = { name: 'networks/look', send: () => client.call('networks/look', look) }
  }
  return mixed(asks)
}

/** Begins one that outlasts the minute; answers how to end it. */
async function train(client: Client) {
  const { projectId, parts } = await makeCells(client, { name: 'Training', items: 96, side: 32 })
  await untilDeviceIsTold(client)
  const hyper = { epochs: 1000, patience: 0, imageSize: [32, 32] as [number, number] }
  const wish = { projectId, parts, network: 'small_resnet', hyper, force: true }
  const { id } = await client.call('runs/start', wish)
  const shown = () => client.call('runs/detail', { id })
  await poll(shown, ({ run }) => run.progress !== null, { everyMs: 200 })
  return async () => {
    const { run } = await shown()
    if (run.state === 'running') await client.call('runs/stop', { id })
    else console.log(`The training was ${run.state} before the minute was over.`)
  }
}

/** Always in the same order, and no request of one member behind another of the same. */
const mixed = (asks: readonly Ask[]): Ask[] => {
  const step = Math.floor(asks.length / MEMBERS) + 1
  return asks.map((_, index) => asks[(index * step) % asks.length]).filter((ask) => ask !== undefined)
}

/** Leaves at fixed times; nobody waits for an answer before asking on. */
async function run(asks: readonly Ask[], { title, ms }: { title: string; ms: number }): Promise<Phase> {
  const samples: Sample[] = []
  const open = new Set<Promise<void>>()
  const start = performance.now() + 50
  const count = Math.round((ms / 1000) * RATE)
  for (let index = 0; index < count; index += 1) {
    const due = start + (index * 1000) / RATE
    const early = due - performance.now()
    if (early > 1) await wait(early)
    const ask = asks[index % asks.length]
    if (!ask) break
    const one: Promise<void> = ask
      .send()
      .then(
        () => null,
        (error: unknown) => String(error),
      )
      .then((error) => {
        samples.push({ name: ask.name, ms: performance.now() - due, error })
        open.delete(one)
      })
    open.add(one)
  }
  await Promise.race([Promise.all(open), wait(LAST_MS, undefined, { ref: false })])
  for (let lost = samples.length; lost < count; lost += 1)
    samples.push({ name: 'unanswered', ms: LAST_MS, error: 'unanswered' })
  return { title, samples, load: loadavg()[0]?.toFixed(1) ?? '?' }
}

/** Six at once, each begun anew as soon as it is answered, whatever the answer. */
function attack(client: Client) {
  const text = textOf(1700)
  const counts = { answered: 0, refused: 0 }
  let isOver = false
  const body = { text, nodes: ['layer0'], image: { from: 'sample' as const }, runId: null }
  const one = async () => {
    while (!isOver) {
      await client.call('networks/look', body).then(
        () => (counts.answered += 1),
        async () => {
          counts.refused += 1
          await wait(REFUSED_MS)
        },
      )
    }
  }
  const all = Array.from({ length: 6 }, one)
  const stop = async () => {
    isOver = true
    await Promise.all(all)
  }
  return { stop, counts }
}

const textOf = (layers: number): string => `dripe: 1
name: load
task: classification
inputs: {image: {kind: image, channels: 1, size: [32, 32]}}
nodes:
${Array.from({ length: layers }, (_, index) => `  layer${index}: {op: conv, out: 4}`).join('\n')}
  gap: globalavg
  logits: {op: linear, out: 2}
heads: {main: {task: classification, from: logits}}
`

function report(
  phases: readonly Phase[],
  { answered, refused }: { answered: number; refused: number },
): void {
  console.log(
    `\n${RATE} requests a second for ${SECONDS} s, ${MEMBERS} members, ${availableParallelism()} cores;`,
  )
  console.log(
    'load of the machine (which this bench, the product and whatever else runs make up) beside each line.',
  )
  const [quiet] = phases.map(({ samples }) => at(samples, 0.95))
  for (const { title, samples, load: busy } of phases) {
    const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) => at(samples, share))
    const errors = samples.filter(({ error }) => error !== null)
    const looks = samples.filter(({ name }) => name === 'networks/look')
    const ratio = (p95 ?? 0) / (quiet ?? 1)
    const isAttacked = title === ATTACKED
    const isWell =
      (p95 ?? 0) <= GOALS.p95 &&
      (p99 ?? 0) <= GOALS.p99 &&
      errors.length === 0 &&
      (!isAttacked || ratio <= GOALS.ratio)
    if (!isWell) process.exitCode = 1
    console.log(
      [
        `${title}: p50 ${p50?.toFixed(1)} ms, p95 ${p95?.toFixed(1)} (goal ${GOALS.p95}), p99 ${p99?.toFixed(1)}`,
        `(goal ${GOALS.p99}), most ${most?.toFixed(0)}; ${errors.length} errors of ${samples.length};`,
        `${ratio.toFixed(2)} × quiet${isAttacked ? ` (goal ${GOALS.ratio})` : ''};`,
        `looks alone p50 ${at(looks, 0.5).toFixed(0)}, most ${at(looks, 1).toFixed(0)};`,
        `load ${busy}: ${isWell ? 'reached' : 'MISSED'}`,
      ].join(' '),
    )
    for (const text of new Set(errors.map(({ name, error }) => `  ${name}: ${error}`))) console.log(text)
  }
  console.log(`The attacker was answered ${answered} times and refused ${refused} times.`)
}

/** The latency that this share of the requests did not exceed. */
function at(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

await load()
