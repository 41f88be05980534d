/** What the bench of payments stands on: orders at the trial's cashier, real processes that learn of them, and how an order stands. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../e2e/stack.ts'
import { createUser } from '../server/src/features/accounts/account.ts'
import type { UserRow } from '../server/src/features/accounts/tables.ts'
import { payAtCashier } from '../server/src/features/payments/cashier/cashier.ts'
import type { Callback } from '../server/src/features/payments/provider.ts'
import { pay } from '../server/src/features/payments/vip/pay.ts'
import type { Context } from '../server/src/infra/context.ts'

/** Of the plan that everybody orders, in fen. */
export const PRICE = 500_000
/** Alipay, whose place the cashier takes in the trial. */
export const wish = { vipId: 2, payMethod: 1, invoice: 0 } as const

/** What must have come of an order at the end. */
export type Wanted = 'paid' | 'returned'

/** May order a plan: the full form is there. */
export async function makeBuyer(ctx: Context, name: string): Promise<UserRow> {
  const account = `${name}@example.test`
  const user = await createUser(ctx.db, { account, password: null, nickName: 'Buyer', vipLevel: 1 })
  await ctx.pool.query(`update users set name = 'Buyer', type = 1 where id = $1`, [user.id])
  return user
}

/** An order of theirs, and what the cashier tells once it was paid. */
export async function placePaid(
  ctx: Context,
  user: UserRow,
): Promise<{ orderNo: string; callback: Callback }> {
  const caller = { user, sessionId: '', secondFactorAt: null, address: '127.0.0.1', language: 'en' } as const
  const empty = { invoiceTitle: '', invoiceTax: '', invoiceAddr: '', invoiceBank: '', invoicePhone: '' }
  const body = { ...empty, invoiceAccount: '', invoiceType: undefined, ...wish }
  const { orderNo = '' } = await pay(ctx, body, caller)
  return { orderNo, callback: await paidAtCashier(ctx, orderNo) }
}

export async function paidAtCashier(ctx: Context, orderNo: string): Promise<Callback> {
  const callback = await payAtCashier(ctx, orderNo)
  if (!callback) throw new Error(`${orderNo} cannot be paid`)
  return callback
}

export const cancel = (ctx: Context, orderNo: string) =>
  ctx.pool.query(`update orders set state = 'cancelled' where order_no = $1`, [orderNo])

export type Program = { url: string; process: ChildProcess }

/** As the product starts its own. */
export async function startProgram(
  { config }: Context,
  name: 'main' | 'worker',
  more: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const env = {
    ...process.env,
    ...{ DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl, PORT: '0', HOST: '127.0.0.1' },
    ...{ MODE: 'trial', LOG_LEVEL: 'silent', ...more },
  }
  const child = spawn(process.execPath, [join(root, `server/bundle/${name}.js`)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [said] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
  ])
  return { url: `http://127.0.0.1:${said.port}`, process: child }
}

/** Resolves when it is gone. */
export async function end({ process: child }: Program, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** Whether it was heard; null where nobody answered. */
export async function notify(url: string, { headers, raw }: Callback): Promise<boolean | null> {
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

export type Standing = {
  state: string
  payments: number
  /** Orders of the same buyer. */
  orders: number
  terms: number
  entries: number
  points: number
  level: number
}

/** By order number. */
export async function standingsOf(ctx: Context): Promise<Map<string, Standing>> {
  const { rows } = await ctx.pool.query<Standing & { order_no: string }>(`
    select o.order_no, o.state,
      (select count(*)::int from payments p where p.order_no = o.order_no) as payments,
      (select count(*)::int from orders other where other.user_id = o.user_id) as orders,
      (select count(*)::int from terms t where t.order_no = o.order_no) as terms,
      (select count(*)::int from ledger_entries e where e.source = o.order_no and e.kind = 'plan_paid') as entries,
      coalesce((select balance::int from ledger_accounts a where a.owner = o.user_id and a.kind = 'points'), 0) as points,
      u.vip_level as level
    from orders o join users u on u.id = o.user_id`)
  return new Map(rows.map((row) => [row.order_no, row]))
}

const creditsOf = ({ terms, entries, points, level }: Standing): string =>
  [terms, entries, points, level].join(' ')
const CREDITED = [1, 1, PRICE / 100, 2].join(' ')
const UNTOUCHED = [0, 0, 0, 1].join(' ')

/** Paid once and credited once, or paid once and back. */
export function isRight(standing: Standing | undefined, wanted: Wanted): boolean {
  if (standing?.payments !== 1 || standing.orders !== 1) return false
  return wanted === 'paid'
    ? standing.state === 'paid' && creditsOf(standing) === CREDITED
    : standing.state === 'refunded' && creditsOf(standing) === UNTOUCHED
}

/** All of a step or nothing of it. */
export function isWhole(standing: Standing): boolean {
  const isCredited = standing.state === 'paid'
  const isTold = isCredited || standing.state === 'returning' || standing.state === 'refunded'
  return creditsOf(standing) === (isCredited ? CREDITED : UNTOUCHED) && standing.payments === (isTold ? 1 : 0)
}

export const isTwice = ({ payments, terms, entries }: Standing): boolean =>
  payments > 1 || terms > 1 || entries > 1

export function verdict(isReached: boolean): string {
  if (!isReached) process.exitCode = 1
  return isReached ? 'reached' : 'MISSED'
}
