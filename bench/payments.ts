/**
 * `npm run bench -- payments 1000`: so many orders, each paid at the trial's cashier and told to the server in duplicate, out of order,
 * late and among forgeries, while the process that answers is killed (SIGKILL) again and again. A provider repeats until it is
 * heard, as the real ones do. At the end every payment must have been credited once, or be back where its order was over.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { freePort, root } from '../e2e/stack.ts'
import { readConfig } from '../server/src/config.ts'
import * as accounts from '../server/src/features/accounts/account.ts'
import { findFaults } from '../server/src/features/ledger/service.ts'
import { callbackOf, payAtCashier } from '../server/src/features/payments/cashier/cashier.ts'
import type { Callback } from '../server/src/features/payments/provider.ts'
import { reconcile } from '../server/src/features/payments/reconcile.ts'
import { pay } from '../server/src/features/payments/vip/pay.ts'
import { features } from '../server/src/features.ts'
import { type Context, closeContext, createContext } from '../server/src/infra/context.ts'
import { prepareJobs } from '../server/src/infra/jobs.ts'
import { createLog } from '../server/src/infra/log.ts'
import { migrate } from '../server/src/infra/postgres/migrate.ts'
import { startPostgres } from '../server/src/infra/postgres/postgres.ts'

const FORGERIES_AN_ORDER = 10
const AT_ONCE = 16
const PRICE = 500_000
/** After the server came back. */
const LATEST_KILL_MS = 3000

type Wanted = 'paid' | 'returned'
type Placed = { orderNo: string; wanted: Wanted; callback: Callback }
type Server = { url: string; process: ChildProcess }

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
    const fresh = { account: `buyer${place}@example.test`, password: null, nickName: 'Buyer', vipLevel: 1 }
    const user = await accounts.createUser(ctx.db, fresh)
    await ctx.pool.query(`update users set name = 'Buyer', type = 1 where id = $1`, [user.id])
    const caller = {
      user,
      sessionId: '',
      secondFactorAt: null,
      address: '127.0.0.1',
      language: 'en',
    } as const
    const empty = { invoiceTitle: '', invoiceTax: '', invoiceAddr: '', invoiceBank: '', invoicePhone: '' }
    const wish = { ...empty, invoiceAccount: '', invoiceType: undefined, vipId: 2, payMethod: 1, invoice: 0 }
    const { orderNo = '' } = await pay(ctx, wish as Parameters<typeof pay>[1], caller)
    const callback = await payAtCashier(ctx, orderNo)
    if (!callback) throw new Error(`${orderNo} cannot be paid`)
    if (place % 10 === 3)
      await ctx.pool.query(
        `update orders set expires_at = created_at, state = 'expired' where order_no = $1`,
        [orderNo],
      )
    if (place % 10 === 7)
      await ctx.pool.query(`update orders set state = 'cancelled' where order_no = $1`, [orderNo])
    placed.push({ orderNo, wanted: place % 10 === 7 ? 'returned' : 'paid', callback })
  }
  return placed
}

type Told = { sent: number; heard: number; forged: number; believed: number; kills: number; cut: number }

async function tellAll(ctx: Context, placed: readonly Placed[]): Promise<Told> {
  const told: Told = { sent: 0, heard: 0, forged: 0, believed: 0, kills: 0, cut: 0 }
  const random = mulberry32(3)
  const port = await freePort()
  let server = await start(ctx, port)
  let isUp = Promise.resolve(server)
  let isOver = false
  const killer = (async () => {
    while (!isOver) {
      await wait(random() * LATEST_KILL_MS)
      if (isOver) break
      server.process.kill('SIGKILL')
      told.kills += 1
      isUp = start(ctx, port)
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
  server.process.kill('SIGKILL')
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

/** Whether it was heard; null where nobody answered. */
async function notify(url: string, { headers, raw }: Callback): Promise<boolean | null> {
  try {
    const response = await fetch(`${url}/AI/api/payment/alipay/notify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cashier-mac': String(headers['cashier-mac']) },
      body: new Uint8Array(raw),
    })
    // Too many at once, or a database that is just coming back: told again.
    if (response.status === 429 || response.status >= 500) return null
    return (await response.text()) === 'ok'
  } catch {
    return null
  }
}

async function start({ config }: Context, port: number): Promise<Server> {
  const env = {
    ...process.env,
    ...{ DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl, PORT: String(port), HOST: '127.0.0.1' },
    ...{ MODE: 'trial', LOG_LEVEL: 'silent' },
  }
  const child = spawn(process.execPath, [join(root, 'server/bundle/main.js')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return { url: `http://127.0.0.1:${port}`, process: child }
}

async function report(ctx: Context, placed: readonly Placed[], told: Told) {
  const { rows } = await ctx.pool.query<{
    order_no: string
    state: string
    payments: number
    terms: number
    entries: number
    points: number
    level: number
  }>(`
    select o.order_no, o.state,
      (select count(*)::int from payments p where p.order_no = o.order_no) as payments,
      (select count(*)::int from terms t where t.order_no = o.order_no) as terms,
      (select count(*)::int from ledger_entries e where e.source = o.order_no and e.kind = 'plan_paid') as entries,
      coalesce((select balance::int from ledger_accounts a where a.owner = o.user_id and a.kind = 'points'), 0) as points,
      u.vip_level as level
    from orders o join users u on u.id = o.user_id`)
  const found = new Map(rows.map((row) => [row.order_no, row]))
  const isRight = ({ orderNo, wanted }: Placed): boolean => {
    const row = found.get(orderNo)
    if (row?.payments !== 1) return false
    const credits = [row.terms, row.entries, row.points, row.level]
    const isCredited = String(credits) === String([1, 1, PRICE / 100, 2])
    const isUntouched = String(credits) === String([0, 0, 0, 1])
    return wanted === 'paid' ? row.state === 'paid' && isCredited : row.state === 'refunded' && isUntouched
  }
  const double = rows.filter((row) => row.payments > 1 || row.terms > 1 || row.entries > 1).length
  const wrong = placed.filter((one) => !isRight(one))
  const faults = await findFaults(ctx.db)
  console.log(
    `${placed.length} orders: told ${told.sent} times, heard ${told.heard}; ${told.forged} forgeries`,
  )
  console.log(`${told.kills} kills of the process that answers; ${told.cut} tellings cut off and repeated`)
  console.log(`credited twice: ${double} (goal 0) ${verdict(double === 0)}`)
  console.log(`lost, or not as they should be: ${wrong.length} (goal 0) ${verdict(wrong.length === 0)}`)
  console.log(`forgeries believed: ${told.believed} (goal 0) ${verdict(told.believed === 0)}`)
  console.log(`faults in the books: ${faults.length} (goal 0) ${verdict(faults.length === 0)}`)
  for (const { orderNo, wanted } of wrong.slice(0, 5)) console.log(wanted, found.get(orderNo))
}

function verdict(isReached: boolean) {
  if (!isReached) process.exitCode = 1
  return isReached ? 'reached' : 'MISSED'
}

await bench(Number(process.argv[2] ?? 1000))
