/**
 * `npm run bench -- load`: 100 mixed requests a second of several members for a minute: quiet, beside a training, and beside
 * attacks of one free account or of somebody without any. The quiet minutes have nothing but short requests, so that no
 * attack is measured against work of its own kind; each attack has one just before it, because machines change. Requests
 * leave at fixed times whether or not earlier ones were answered, and their latency counts from then, so that no waiting is
 * left out. Goals: p95 ≤ 150 ms, p99 ≤ 500 ms, no error; beside an attack the others' p95 ≤ 50 ms.
 * `-- load --seconds 10 --rate 50` is shorter and gentler; `--only folders` has those parts alone whose title says so.
 */
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isOpen as isUnderWay } from '@neuroloom/contract/run-states'
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
  only: { type: 'string', default: '' },
} as const
const { values } = parseArgs({ options })
const SECONDS = Number(values.seconds)
const RATE = Number(values.rate)
const MEMBERS = 6
/** What one attack is refused must not be refused to the next. */
const ATTACKERS = 3
const GOALS = { p95: 150, p99: 500, attackedP95: 50 }
const PASSWORD = 'correct horse 1'
const WARM_MS = 3000
/** What is under way at the end of a minute is waited for so long. */
const LAST_MS = 60_000
/** The attacker looks again after a refusal; more would be a flood, which is another bench. */
const REFUSED_MS = 200

type Ask = { name: string; send: () => Promise<unknown> }
type Sample = { name: string; ms: number; error: string | null }
type Kind = 'quiet' | 'training' | 'attack'
type Phase = { title: string; samples: Sample[]; load: string; kind: Kind }
/** Refusals by their reason. */
type Counts = { answered: number; refused: Map<string, number> }

async function load() {
  const [busy = 0] = loadavg()
  if (busy > availableParallelism() / 2)
    console.log(
      `This machine is not quiet (load ${busy.toFixed(1)}): the figures will say more about it than about us.`,
    )
  const product = await startProduct()
  try {
    const [looker, sender, uploader, ...members] = await signInAll(product)
    if (!looker || !sender || !uploader) throw new Error('nobody signed in')
    const asks = await prepare(members)
    await run(asks, { title: 'warm', ms: WARM_MS, kind: 'quiet' })
    const ms = SECONDS * 1000
    const quiet = () => run(asks, { title: 'quiet', ms, kind: 'quiet' })
    const phases = [await quiet()]
    if ('a training'.includes(values.only)) {
      const stopTraining = await train(await signIn(product))
      phases.push(await run(asks, { title: 'beside a training', ms, kind: 'training' }))
      await stopTraining()
    }
    for (const [title, send] of Object.entries(await attacksOf({ looker, sender, uploader }))) {
      if (!title.includes(values.only)) continue
      phases.push(await quiet())
      const { stop, counts } = attack(send)
      phases.push(await run(asks, { title: `beside ${title}`, ms, kind: 'attack' }))
      await stop()
      console.log(`${title}: answered ${counts.answered} times, refused:`)
      for (const [reason, count] of counts.refused) console.log(`  ${count} × ${reason}`)
    }
    report(phases)
  } finally {
    await product.stop()
    await removeData(product.dataDir)
  }
}

/** Free accounts, made in the product's own database, which runs already. The first ones attack, each in its own way. */
async function signInAll(product: Product): Promise<Client[]> {
  const postgres = await startPostgres({ folder: join(product.dataDir, 'postgres') })
  const pool = openPool(postgres.url('neuroloom'), createLog('error', 'bench'), 1)
  const logins: Login[] = []
  for (let number = 0; number < ATTACKERS + MEMBERS; number += 1) {
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
    const { id: networkId } = await client.call('networks/create', { name: 'Own', text: textOf(1) })
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
    asks.push(...page)
  }
  return mixed(asks)
}

/** Begins one that outlasts the minute; answers how to end it, which is done when its engine rests. */
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
    if (run.state === 'running') {
      await client.call('runs/stop', { id })
      await poll(shown, ({ run: now }) => !isUnderWay(now))
    } else console.log(`The training was ${run.state} before the minute was over.`)
  }
}

/** Always in the same order, and no request of one member behind another of the same. */
const mixed = (asks: readonly Ask[]): Ask[] => {
  const step = Math.floor(asks.length / MEMBERS) + 1
  return asks.map((_, index) => asks[(index * step) % asks.length]).filter((ask) => ask !== undefined)
}

/** Leaves at fixed times; nobody waits for an answer before asking on. */
async function run(
  asks: readonly Ask[],
  { title, ms, kind }: { title: string; ms: number; kind: Kind },
): Promise<Phase> {
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
  return { title, samples, load: loadavg()[0]?.toFixed(1) ?? '?', kind }
}

/** Each sends one request and rejects where it is refused. */
type Attack = () => Promise<unknown>

type Attackers = Record<'looker' | 'sender' | 'uploader', Client>

async function attacksOf({ looker, sender, uploader }: Attackers): Promise<Record<string, Attack>> {
  const look = { text: textOf(1700), nodes: ['layer0'], image: { from: 'sample' as const }, runId: null }
  const { id: parentId } = await uploader.call('files/createFolder', { parentId: null, name: 'many' })
  const folders = Array.from({ length: 10_000 }, (_, number) => ({ path: `${number}/a.png`, sizeBytes: 1 }))
  const wide = wideBodies()
  let next = 0
  return {
    'six looks at 51 KB': () => looker.call('networks/look', look),
    'six wide bodies': async () => {
      const { path, body, isOpen } = wide[next++ % wide.length] ?? { path: '', body: '', isOpen: false }
      const headers = isOpen ? { 'content-type': 'application/json' } : sender.headers
      const answer = await fetch(`${sender.url}/AI/api/${path}`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(String(answer.status))
    },
    'six uploads of 10,000 folders': async () => {
      const { batch } = await uploader.call('files/prepare', { parentId, sameName: 'rename', files: folders })
      if (batch !== null) await uploader.call('files/cancelBatch', { batch })
    },
  }
}

/** Full of wrong values, and about as large as somebody with and without an account can send them. */
function wideBodies(): { path: string; body: string; isOpen: boolean }[] {
  const many = <Entry>(count: number, entry: (index: number) => Entry) =>
    Array.from({ length: count }, (_, index) => entry(index))
  const keys = (count: number) => Object.fromEntries(many(count, (index) => [`field${index}`, index]))
  const bodies = [
    { path: 'files/cancel', body: { uploads: many(20_000, () => 0) }, isOpen: false },
    {
      path: 'files/prepare',
      body: { parentId: null, sameName: 'ask', files: many(20_000, () => ({})) },
      isOpen: false,
    },
    {
      path: 'networks/create',
      body: { name: 'a', text: 'b', layout: { v: 1, pos: keys(8000), open: [] } },
      isOpen: false,
    },
    {
      path: 'labelling/save',
      body: {
        readingId: 'a',
        steps: many(200, () => ({ deed: { do: 'tags', before: many(200, () => 0) } })),
      },
      isOpen: false,
    },
    { path: 'user/register', body: keys(1000), isOpen: true },
    { path: 'setting/public', body: { text: 'x'.repeat(16_000) }, isOpen: true },
  ]
  return bodies.map(({ body, ...one }) => ({ ...one, body: JSON.stringify(body) }))
}

/** Six at once, each begun anew as soon as it is answered, whatever the answer. */
function attack(send: Attack) {
  const counts: Counts = { answered: 0, refused: new Map() }
  let isOver = false
  const one = async () => {
    while (!isOver) {
      await send().then(
        () => (counts.answered += 1),
        async (error: unknown) => {
          const reason = String(error)
          counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1)
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

function report(phases: readonly Phase[]): void {
  console.log(
    `\n${RATE} requests a second for ${SECONDS} s, ${MEMBERS} members, ${availableParallelism()} cores;`,
  )
  console.log(
    'load of the machine (which this bench, the product and whatever else runs make up) beside each line.',
  )
  let quiet = Number.NaN
  for (const { title, samples, load: busy, kind } of phases) {
    const [p50 = 0, p95 = 0, p99 = 0, most = 0] = [0.5, 0.95, 0.99, 1].map((share) => at(samples, share))
    const errors = samples.filter(({ error }) => error !== null)
    if (kind === 'quiet') quiet = p95
    const goal = kind === 'attack' ? GOALS.attackedP95 : GOALS.p95
    const isWell = p95 <= goal && p99 <= GOALS.p99 && errors.length === 0
    if (!isWell) process.exitCode = 1
    console.log(
      [
        `${title}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} (goal ${goal}), p99 ${p99.toFixed(1)}`,
        `(goal ${GOALS.p99}), most ${most.toFixed(0)}; ${errors.length} errors of ${samples.length};`,
        `${(p95 / quiet).toFixed(2)} × quiet; load ${busy}: ${isWell ? 'reached' : 'MISSED'}`,
      ].join(' '),
    )
    for (const text of new Set(errors.map(({ name, error }) => `  ${name}: ${error}`))) console.log(text)
  }
}

/** The latency that this share of the requests did not exceed. */
function at(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

await load()
