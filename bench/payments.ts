/**
 * `npm run bench -- payments 1000`: so many orders, each paid at the trial's cashier and told to the server in duplicate, out of order,
 * late and among forgeries, while the process that answers is killed (SIGKILL) again and again. A provider repeats until it is
 * heard, as the real ones do. At the end every payment must have been credited once, or be back where its order was over. Then
 * the server and the worker are killed before each single write of an order, a payment and a refund, and at each commit.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { readConfig } from '../server/src/config.ts'
import { findFaults } from '../server/src/features/ledger/service.ts'
import { callbackOf } from '../server/src/features/payments/cashier/cashier.ts'
import type { Callback } from '../server/src/features/payments/provider.ts'
import { reconcile } from '../server/src/features/payments/reconcile.ts'
import { features } from '../server/src/features.ts'
import { type Context, closeContext, createContext } from '../server/src/infra/context.ts'
import { prepareJobs } from '../server/src/infra/jobs.ts'
import { createLog } from '../server/src/infra/log.ts'
import { migrate } from '../server/src/infra/postgres/migrate.ts'
import { startPostgres } from '../server/src/infra/postgres/postgres.ts'
import {
  cancel,
  end,
  isRight,
  isTwice,
  makeBuyer,
  notify,
  PRICE,
  placePaid,
  standingsOf,
  startProgram,
  verdict,
  type Wanted,
} from './payment-orders.ts'
import { killAtEachStep } from './payment-steps.ts'

const FORGERIES_AN_ORDER = 10
const AT_ONCE = 16
/** After the server came back. */
const LATEST_KILL_MS = 3000

type Placed = { orderNo: string; wanted: Wanted; callback: Callback }

async function bench(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'neuroloom-payments-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const databaseUrl = postgres.url('postgres')
  await migrate(databaseUrl)
  await prepareJobs(databaseUrl)
  const config = { ...readConfig({}), dataDir: folder, databaseUrl, minFreeBytes: 0 }
  const ctx = await createContext(config, { features, log: createLog('silent', 'bench') })
  try {
    const placed = await placeOrders(ctx, count)
    const told = await tellAll(ctx, placed)
    // What the worker does every minute: refunds go out.
    for (let round = 0; round < Math.ceil(count / 200) + 1; round += 1) await reconcile(ctx)
    await report(ctx, placed, told)
    await killAtEachStep(ctx)
    const faults = await findFaults(ctx.db)
    console.log(`faults in the books: ${faults.length} (goal 0) ${verdict(faults.length === 0)}`)
  } finally {
    await closeContext(ctx)
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each by a member of its own. One of ten is expired when it is told, one of ten was cancelled. */
async function placeOrders(ctx: Context, count: number): Promise<Placed[]> {
  const placed: Placed[] = []
  for (let place = 0; place < count; place += 1) {
    const { orderNo, callback } = await placePaid(ctx, await makeBuyer(ctx, `buyer${place}`))
    if (place % 10 === 3)
      await ctx.pool.query(
        `update orders set expires_at = created_at, state = 'expired' where order_no = $1`,
        [orderNo],
      )
    if (place % 10 === 7) await cancel(ctx, orderNo)
    placed.push({ orderNo, wanted: place % 10 === 7 ? 'returned' : 'paid', callback })
  }
  return placed
}

type Told = { sent: number; heard: number; forged: number; believed: number; kills: number; cut: number }

async function tellAll(ctx: Context, placed: readonly Placed[]): Promise<Told> {
  const told: Told = { sent: 0, heard: 0, forged: 0, believed: 0, kills: 0, cut: 0 }
  const random = mulberry32(3)
  let server = await startProgram(ctx, 'main')
  let isUp = Promise.resolve(server)
  let isOver = false
  const killer = (async () => {
    while (!isOver) {
      await wait(random() * LATEST_KILL_MS)
      if (isOver) break
      isUp = end(server, 'SIGKILL').then(() => startProgram(ctx, 'main'))
      told.kills += 1
      server = await isUp
    }
  })()
  const queue = placed.flatMap((one) => jobsOf(ctx, one, random)).sort(() => random() - 0.5)
  const send = async () => {
    for (let job = queue.pop(); job; job = queue.pop()) {
      told[job.isForged ? 'forged' : 'sent'] += 1
      const answer = await notify(server.url, job.callback)
      if (answer === null) {
        told.cut += 1
        // A provider that was not heard tells it again.
        queue.unshift(job)
        await isUp
      } else if (answer && job.isForged) told.believed += 1
      else if (answer) told.heard += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  isOver = true
  await killer
  await end(server, 'SIGKILL')
  return told
}

type Job = { callback: Callback; isForged: boolean }

/** One to five times the truth, and ten lies. */
function jobsOf(ctx: Context, { orderNo, callback }: Placed, random: () => number): Job[] {
  const truth = Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({ callback, isForged: false }))
  const honest = JSON.parse(callback.raw.toString())
  const changes = [
    { amountFen: 1 },
    { amountFen: PRICE + 1 },
    { currency: 'USD' },
    { orderNo: '20260101000000000000' },
    { transactionId: '' },
    { transactionId: `second-${orderNo}` },
  ]
  const lies = Array.from({ length: FORGERIES_AN_ORDER }, (_, place): Job => {
    const change = changes[place % changes.length]
    // Signed like the truth, but of something else; or the truth with another signature.
    const isSigned = place < changes.length - 1
    const signed = callbackOf(ctx, { ...honest, ...change, paidAt: new Date(honest.paidAt) })
    return {
      isForged: true,
      callback: isSigned ? signed : { headers: callback.headers, raw: Buffer.from(`${signed.raw} `) },
    }
  })
  return [...truth, ...lies]
}

async function report(ctx: Context, placed: readonly Placed[], told: Told) {
  const found = await standingsOf(ctx)
  const double = [...found.values()].filter(isTwice).length
  const wrong = placed.filter(({ orderNo, wanted }) => !isRight(found.get(orderNo), wanted))
  console.log(
    `${placed.length} orders: told ${told.sent} times, heard ${told.heard}; ${told.forged} forgeries`,
  )
  console.log(`${told.kills} kills of the process that answers; ${told.cut} tellings cut off and repeated`)
  console.log(`credited twice: ${double} (goal 0) ${verdict(double === 0)}`)
  console.log(`lost, or not as they should be: ${wrong.length} (goal 0) ${verdict(wrong.length === 0)}`)
  console.log(`forgeries believed: ${told.believed} (goal 0) ${verdict(told.believed === 0)}`)
  for (const { orderNo, wanted } of wrong.slice(0, 5)) console.log(wanted, found.get(orderNo))
}

await bench(Number(process.argv[2] ?? 1000))
