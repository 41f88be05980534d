/**
 * Kills the process that answers, or the worker, before each single write about money and at its commit, one after the
 * other, and repeats the request as a provider or a member would: part of `npm run bench -- payments`. The steps are not listed here: the
 * database counts the writes of the process and stops it at the one whose turn it is.
 */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sessions } from '../server/src/features/accounts/tables.ts'
import { receive } from '../server/src/features/payments/callbacks.ts'
import { reconcile } from '../server/src/features/payments/reconcile.ts'
import type { Context } from '../server/src/infra/context.ts'
import { connect, poll } from './client.ts'
import {
  cancel,
  end,
  isRight,
  isTwice,
  isWhole,
  makeBuyer,
  notify,
  paidAtCashier,
  placePaid,
  standingsOf,
  startProgram,
  verdict,
  type Wanted,
  wish,
} from './payment-orders.ts'

/** What the database calls the connections of the process that is to be killed. */
const VICTIM = 'bench-victim'
/** A number that nothing else locks. */
const LOCK = 7_302_991
const LOOK_MS = 5
/** There are fewer; more would mean that the end is not found. */
const MOST_STEPS = 60

type Deed = {
  /** What is stopped at each of its writes. It fails where its process is killed. */
  run(url: string): Promise<unknown>
  /** The same again until it is done, and what is still to follow. Answers the order's number. */
  finish(url: string): Promise<string>
}
type Act = {
  title: string
  program: 'main' | 'worker'
  /** The state of the order behind it, and at the very end. */
  leaves: 'waiting' | 'paid' | 'returning' | 'refunded'
  wanted: Wanted
  /** With a buyer of its own. */
  prepare(name: string): Promise<Deed>
}
type Outcome = { kills: number; kept: number; half: number; wrong: string[]; twice: number }

export async function killAtEachStep(ctx: Context): Promise<void> {
  await countWrites(ctx)
  const all: Outcome[] = []
  for (const [place, act] of actsOf(ctx).entries()) {
    const outcome = await killEach(ctx, act, `act${place}`)
    all.push(outcome)
    console.log(
      `${act.title}: killed at ${outcome.kills} steps; ${outcome.kept} times it was kept, else undone`,
    )
    for (const line of outcome.wrong) console.log(`  ${line}`)
  }
  const sum = (of: (one: Outcome) => number) => all.reduce((total, one) => total + of(one), 0)
  const [half, twice, wrong] = [
    sum((one) => one.half),
    sum((one) => one.twice),
    sum((one) => one.wrong.length),
  ]
  console.log(`left half done by a kill at a step: ${half} (goal 0) ${verdict(half === 0)}`)
  console.log(`credited twice after it: ${twice} (goal 0) ${verdict(twice === 0)}`)
  console.log(`lost, or not as they should be, after it: ${wrong} (goal 0) ${verdict(wrong === 0)}`)
}

function actsOf(ctx: Context): Act[] {
  const told = (wanted: Wanted) => async (name: string) => {
    const { orderNo, callback } = await placePaid(ctx, await makeBuyer(ctx, name))
    if (wanted === 'returned') await cancel(ctx, orderNo)
    return {
      run: (url: string) => notify(url, callback),
      finish: async (url: string) => {
        await untilHeard(url, callback)
        // What the worker does every minute: the money goes out.
        if (wanted === 'returned') await reconcile(ctx)
        return orderNo
      },
    }
  }
  const act = (
    title: string,
    [program, leaves, wanted]: [Act['program'], Act['leaves'], Wanted],
    prepare: Act['prepare'],
  ): Act => ({ title, program, leaves, wanted, prepare })
  return [
    act('An order that is made', ['main', 'waiting', 'paid'], (name) => ordered(ctx, name)),
    act('A payment that is told', ['main', 'paid', 'paid'], told('paid')),
    act('A payment of a cancelled order', ['main', 'returning', 'returned'], told('returned')),
    act('Money that goes back', ['worker', 'refunded', 'returned'], (name) => returned(ctx, name)),
  ]
}

const untilHeard = (url: string, callback: Parameters<typeof notify>[1]) =>
  poll(
    () => notify(url, callback),
    (isHeard) => isHeard === true,
    { everyMs: 100, limitMs: 60_000 },
  )

async function ordered(ctx: Context, name: string): Promise<Deed> {
  const { id: userId } = await makeBuyer(ctx, name)
  const token = `token-of-${name}`
  const now = ctx.now()
  await ctx.db.insert(sessions).values({
    ...{ id: `session-of-${name}`, userId, address: '127.0.0.1', startedAt: now, usedAt: now },
    tokenHash: createHash('sha256').update(token).digest(),
  })
  const headers = { 'content-type': 'application/json', token, userId }
  return {
    run: (url) => connect(url, headers).call('vip/pay', wish),
    finish: async (url) => {
      const { orderNo = '' } = await connect(url, headers).call('vip/pay', wish)
      await untilHeard(url, await paidAtCashier(ctx, orderNo))
      return orderNo
    },
  }
}

/** The worker's part, which begins when the payment of a cancelled order is told. */
async function returned(ctx: Context, name: string): Promise<Deed> {
  const { orderNo, callback } = await placePaid(ctx, await makeBuyer(ctx, name))
  await cancel(ctx, orderNo)
  const isSent = async () => {
    const { rowCount } = await ctx.pool.query(
      'select from refunds where order_no = $1 and sent_at is not null',
      [orderNo],
    )
    return rowCount === 1
  }
  const untilSent = () => poll(isSent, Boolean, { everyMs: 20, limitMs: 180_000 })
  return {
    run: async () => {
      await receive(ctx, 'alipay', { ...callback, address: '127.0.0.1' })
      await untilSent()
    },
    finish: async () => {
      // As every minute, without waiting for it.
      await ctx.jobs.send(null, 'payments.reconcile', {})
      await untilSent()
      return orderNo
    },
  }
}

async function killEach(ctx: Context, { program, leaves, wanted, prepare }: Act, name: string) {
  const outcome: Outcome = { kills: 0, kept: 0, half: 0, wrong: [], twice: 0 }
  const start = () => startProgram(ctx, program, { PGAPPNAME: VICTIM })
  let victim = await start()
  try {
    for (let step = 1, isOver = false; !isOver; step += 1) {
      if (step > MOST_STEPS) throw new Error(`${name}: still writing after ${MOST_STEPS} steps`)
      const buyer = `${name}-${step}`
      const deed = await prepare(buyer)
      const release = await stopAt(ctx, step)
      const done = deed.run(victim.url)
      const isStopped = await isStoppedBefore(ctx, done)
      if (isStopped) await end(victim, 'SIGKILL')
      await release()
      if (isStopped) {
        await untilGone(ctx)
        outcome.kills += 1
        if ((await stateOf(ctx, buyer)) === leaves) outcome.kept += 1
        const left = [...(await standingsOf(ctx)).values()]
        outcome.half += left.filter((one) => !isWhole(one)).length
        victim = await start()
      }
      const orderNo = await deed.finish(victim.url)
      const standing = (await standingsOf(ctx)).get(orderNo)
      if (!isRight(standing, wanted)) outcome.wrong.push(`step ${step}: ${JSON.stringify(standing)}`)
      if (standing && isTwice(standing)) outcome.twice += 1
      isOver = !isStopped
    }
  } finally {
    await end(victim, 'SIGTERM')
  }
  return outcome
}

async function stateOf({ pool }: Context, buyer: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ state: string }>(
    'select o.state from orders o join users u on u.id = o.user_id where u.email_key = $1',
    [`${buyer}@example.test`],
  )
  return rows[0]?.state
}

/**
 * Counts what the victim writes in transactions about money, row by row, and once more when such a transaction commits: a
 * process that is killed then is not told any more that it was kept.
 */
async function countWrites({ pool }: Context): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public' and tablename <> 'migrations' union all select 'pgboss.job'`)
  await pool.query(`
    create table bench_stop (at int not null);
    insert into bench_stop values (0);
    create sequence bench_writes;
    create function bench_count() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') <> '${VICTIM}' then return coalesce(new, old); end if;
      if tg_table_name in ('orders', 'payments', 'refunds') then perform set_config('bench.money', 'on', true); end if;
      -- Apart from each other: beside what is null, the other side of an "and" is worked out, too.
      if coalesce(current_setting('bench.money', true), '') <> 'on' then return coalesce(new, old); end if;
      if nextval('bench_writes') = (select at from bench_stop) then
        perform pg_advisory_lock_shared(${LOCK});
        perform pg_advisory_unlock_shared(${LOCK});
      end if;
      return coalesce(new, old);
    end $$;
    create constraint trigger bench_commits after insert or update on orders deferrable initially deferred
      for each row execute function bench_count()`)
  for (const { name } of tables)
    await pool.query(
      `create trigger bench_counts before insert or update or delete on ${name} for each row execute function bench_count()`,
    )
}

/** From now on the victim waits before this write of it; answers how to let it go. */
async function stopAt({ pool }: Context, step: number): Promise<() => Promise<void>> {
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock($1)', [LOCK])
  await holder.query('alter sequence bench_writes restart')
  await holder.query('update bench_stop set at = $1', [step])
  return async () => {
    await holder.query('update bench_stop set at = 0')
    await holder.query('select pg_advisory_unlock($1)', [LOCK])
    holder.release()
  }
}

/** False where it was done before that write came; what fails before it is a failure of the bench. */
async function isStoppedBefore({ pool }: Context, done: Promise<unknown>): Promise<boolean> {
  let isDone = false
  const over = done.finally(() => {
    isDone = true
  })
  // Behind a stop it fails because its process is killed.
  over.catch(() => undefined)
  while (!isDone) {
    const { rowCount } = await pool.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
      [LOCK],
    )
    if (rowCount) return true
    await Promise.race([over, wait(LOOK_MS)])
  }
  await over
  return false
}

/** What the database still does for a process that is gone is kept or undone by then. */
const untilGone = ({ pool }: Context) =>
  poll(
    () => pool.query('select from pg_stat_activity where application_name = $1', [VICTIM]),
    ({ rowCount }) => rowCount === 0,
    { everyMs: LOOK_MS, limitMs: 60_000 },
  )
