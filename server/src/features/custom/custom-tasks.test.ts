import { randomUUID } from 'node:crypto'
import type { Body } from '@neuroloom/contract/calls'
import { type CustomState, customActions, customStates } from '@neuroloom/contract/custom/task-states'
import { afterWorkingHours } from '@neuroloom/contract/custom/working-hours'
import { custom as limits } from '@neuroloom/contract/limits'
import { and, asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { payFor } from '../../../test/payments/member.ts'
import { codeOf } from '../../http/fail.ts'
import { auditEvents } from '../../infra/audit.ts'
import { notices } from '../../infra/notices.ts'
import { users } from '../accounts/tables.ts'
import { findFaults } from '../ledger/service.ts'
import { orders, refunds } from '../payments/tables.ts'
import { eraseOf } from './own.ts'
import { customPrices, customTasks } from './tables.ts'

let server: TestServer
let chief: Session
let other: Session
let who: Session
beforeAll(async () => {
  server = await makeServer()
  chief = await server.signUp({ role: 2, vipLevel: 4 })
  other = await server.signUp({ role: 2 })
})
beforeEach(async () => {
  await server.ctx.db.delete(customPrices)
  who = await server.signUp({ vipLevel: 4 })
})
afterAll(async () => {
  expect(await findFaults(server.ctx.db)).toEqual([])
  await server.close()
})

const OK = 10200
const PRICE = 800_000
const request = (changes: Partial<Body<'customTask/create'>> = {}): Body<'customTask/create'> => ({
  requestId: randomUUID(),
  kind: 'customisation',
  title: 'Nuclei in cytology',
  task: 'segmentation',
  description: 'Outline every nucleus.',
  ...changes,
})
async function ask(changes: Partial<Body<'customTask/create'>> = {}, by = who): Promise<string> {
  const { code, message, data } = await server.call('customTask/create', request(changes), by)
  expect(code, message).toBe(OK)
  return data.id
}
const fix = (priceFen: number | null, kind: 'customisation' | 'tuning' = 'customisation') =>
  server.call('office/customPrice', { kind, priceFen }, chief)
const detail = async (id: string) => (await server.call('customTask/detail', { id }, who)).data
const stateOf = async (id: string) => (await detail(id)).state
const approve = (id: string, priceFen: number | null = null, by = chief) =>
  server.call('office/customTask', { id, decision: { is: 'approved', priceFen } }, by)
const reject = (id: string, by = chief, reason = 'Say which data.') =>
  server.call('office/customTask', { id, decision: { is: 'rejected', reason } }, by)
const progress = (id: string, percent: number, by = chief) =>
  server.call('customTask/progress', { id, progress: percent }, by)
const complete = (id: string, by = chief) => server.call('customTask/complete', { id }, by)
const resubmit = (id: string, by = who) => {
  const { requestId: _, kind: __, ...again } = request({ title: 'Nuclei, again' })
  return server.call('customTask/resubmit', { id, ...again }, by)
}
const remove = (id: string, by = who) => server.call('customTask/remove', { id }, by)
const order = (id: string, priceFen = PRICE, by = who) => server.call('customTask/pay', { id, priceFen }, by)
async function pay(id: string, priceFen = PRICE): Promise<string> {
  const { code, message, data } = await order(id, priceFen)
  expect(code, message).toBe(OK)
  await payFor(server, data.orderNo)
  return data.orderNo
}
const told = async (of = who) =>
  (
    await server.ctx.db.select().from(notices).where(eq(notices.userId, of.userId)).orderBy(asc(notices.id))
  ).map(({ kind }) => kind)

/** A task of the price that the review sets, in each state. */
const into: Record<CustomState, () => Promise<string>> = {
  unpaid: async () => {
    const id = await ask()
    await approve(id, PRICE)
    return id
  },
  pending_review: () => ask(),
  approved: async () => {
    const id = await ask()
    await approve(id, 0)
    return id
  },
  rejected: async () => {
    const id = await ask()
    await reject(id)
    return id
  },
  processing: async () => {
    const id = await into.approved()
    await progress(id, 30)
    return id
  },
  completed: async () => {
    const id = await into.processing()
    await complete(id)
    return id
  },
}

describe('a custom task', () => {
  test('without a fixed price: review, price, payment, progress and its end, with a message for each', async () => {
    const id = await ask()
    expect(await detail(id)).toMatchObject({ state: 'pending_review', priceFen: null, progress: 0 })
    expect((await approve(id)).code).toBe(codeOf('price_needed'))
    expect((await approve(id, PRICE)).data).toMatchObject({ state: 'unpaid', isReviewed: true, dueAt: null })
    expect((await order(id, PRICE - 1)).code).toBe(codeOf('price_changed'))
    const orderNo = await pay(id)
    const { approvedAt, dueAt, ...approved } = await detail(id)
    expect(approved).toMatchObject({ state: 'approved', isPaid: true, priceFen: PRICE })
    expect(dueAt).toBe(afterWorkingHours(new Date(approvedAt ?? 0), limits.workingHours).toISOString())
    expect((await progress(id, 0)).data).toMatchObject({ state: 'processing', progress: 0 })
    expect((await progress(id, 60)).data.progress).toBe(60)
    for (const less of [59, 60]) expect((await progress(id, less)).code).toBe(codeOf('progress_falls'))
    expect((await complete(id)).data).toMatchObject({ state: 'completed', progress: 100 })
    const { steps } = await detail(id)
    expect(steps.map(({ state, progress: percent }) => `${state} ${percent}`)).toEqual([
      ...['pending_review 0', 'unpaid 0', 'approved 0', 'processing 0', 'processing 60', 'completed 100'],
    ])
    expect(await told()).toEqual([
      ...['custom_received', 'custom_priced', 'custom_approved', 'custom_progress', 'custom_progress'],
      'custom_completed',
    ])
    const { data } = await server.call('payment/orders', {}, who)
    expect(data.orders).toMatchObject([
      { orderNo, kind: 'custom', level: 0, model: null, custom: { id, title: 'Nuclei in cytology' } },
    ])
  })

  test('of a fixed price is paid first; rejected, all of it goes back and it can be handed in again', async () => {
    await fix(PRICE)
    const id = await ask()
    expect(await detail(id)).toMatchObject({ state: 'unpaid', priceFen: PRICE, isReviewed: false })
    const orderNo = await pay(id)
    expect(await stateOf(id)).toBe('pending_review')
    expect((await approve(id, PRICE + 1)).code).toBe(codeOf('price_changed'))
    expect((await reject(id)).data).toMatchObject({ state: 'rejected', reason: 'Say which data.' })
    const [refund] = await server.ctx.db.select().from(refunds).where(eq(refunds.orderNo, orderNo))
    expect(refund).toMatchObject({ amountFen: PRICE, reason: 'Say which data.', askedBy: chief.userId })
    // The price of today, not of then.
    await fix(PRICE + 100)
    expect((await resubmit(id)).data).toMatchObject({ state: 'unpaid', priceFen: PRICE + 100, isPaid: false })
    await pay(id, PRICE + 100)
    expect((await approve(id)).data).toMatchObject({ state: 'approved', title: 'Nuclei, again', reason: '' })
    expect(await told()).toEqual(['custom_received', 'custom_rejected', 'custom_received', 'custom_approved'])
  })

  test('a free one needs no payment', async () => {
    await fix(0, 'tuning')
    const id = await ask({ kind: 'tuning' })
    expect(await stateOf(id)).toBe('pending_review')
    expect((await approve(id)).data.state).toBe('approved')
  })

  test('is one, however often its request is sent', async () => {
    const body = request()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => server.call('customTask/create', body, who)),
    )
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1)
  })

  test('its order given back by an administrator: what is not completed is rejected, with the reason', async () => {
    await fix(PRICE)
    const id = await ask()
    const orderNo = await pay(id)
    await approve(id)
    await progress(id, 20)
    const give = (amountFen: number) =>
      server.call('office/refund', { orderNo, amountFen, reason: 'It cannot be done.' }, other)
    expect((await give(1)).code).toBe(codeOf('amount_differs'))
    expect((await give(PRICE)).code).toBe(OK)
    const { approvedAt, dueAt, ...after } = await detail(id)
    expect([approvedAt, dueAt]).toEqual([null, null])
    expect(after).toMatchObject({ state: 'rejected', reason: 'It cannot be done.', progress: 0 })
  })

  test('completed, a part of its money may be given back and it stays completed', async () => {
    await fix(PRICE)
    const id = await ask()
    const orderNo = await pay(id)
    await approve(id)
    await complete(id)
    const { code } = await server.call('office/refund', { orderNo, amountFen: 5, reason: 'Late.' }, chief)
    expect([code, await stateOf(id)]).toEqual([OK, 'completed'])
  })

  test('given up while its order waits: the money that comes then goes back', async () => {
    await fix(PRICE)
    const id = await ask()
    const { orderNo } = (await order(id)).data
    expect((await remove(id)).code).toBe(OK)
    expect((await server.call('customTask/detail', { id }, who)).code).toBe(codeOf('custom_missing'))
    await payFor(server, orderNo)
    const [row] = await server.ctx.db.select().from(orders).where(eq(orders.orderNo, orderNo))
    expect(['cancelled', 'returning']).toContain(row?.state)
    expect(row?.paidAt === null || row?.state === 'returning').toBe(true)
  })

  test('the same wish to pay is the same order', async () => {
    await fix(PRICE)
    const id = await ask()
    const replies = await Promise.all(Array.from({ length: 5 }, () => order(id)))
    expect(new Set(replies.map(({ data }) => data.orderNo)).size).toBe(1)
  })
})

describe('the states', () => {
  const deeds = {
    approve: (id: string) => approve(id, 0),
    quote: (id: string) => approve(id, PRICE),
    reject: (id: string) => reject(id),
    resubmit: (id: string) => resubmit(id),
    report: (id: string) => progress(id, 99),
    complete: (id: string) => complete(id),
    remove: (id: string) => remove(id),
    payReviewed: (id: string) => order(id),
  }
  const allowed: Record<CustomState, (keyof typeof deeds)[]> = {
    unpaid: ['remove', 'payReviewed'],
    pending_review: ['approve', 'quote', 'reject'],
    approved: ['report', 'complete'],
    rejected: ['resubmit', 'remove'],
    processing: ['report', 'complete'],
    completed: [],
  }

  test.each(customStates)('%s: every call that the table does not allow is refused', async (state) => {
    // Those of money are reached by payments and refunds alone.
    expect(Object.keys(deeds).every((name) => customActions.some((action) => action === name))).toBe(true)
    const id = await into[state]()
    for (const [name, run] of Object.entries(deeds)) {
      if (allowed[state].some((one) => one === name)) continue
      const { code } = await run(id)
      expect([name, code]).toEqual([name, codeOf('custom_moved')])
    }
    expect(await stateOf(id)).toBe(state)
    for (const name of allowed[state]) {
      const one = await into[state]()
      expect([name, (await deeds[name](one)).code]).toEqual([name, OK])
    }
  })

  test('a hundred decisions at once: one is made, and money goes back at most once', async () => {
    await fix(PRICE)
    const id = await ask()
    const orderNo = await pay(id)
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const by = index % 4 < 2 ? chief : other
        if (index % 5 === 4) return progress(id, 10, by)
        return index % 2 === 0 ? approve(id, null, by) : reject(id, by)
      }),
    )
    const decided = replies.filter(({ code, data }) => code === OK && 'isOwn' in data)
    expect(decided).toHaveLength(1)
    const state = await stateOf(id)
    const isRejected = decided[0]?.data.state === 'rejected'
    expect(isRejected ? ['rejected'] : ['approved', 'processing']).toContain(state)
    const given = await server.ctx.db.$count(refunds, eq(refunds.orderNo, orderNo))
    expect(given).toBe(isRejected ? 1 : 0)
    const codes = new Set(replies.map(({ code }) => code))
    for (const code of codes) expect([OK, codeOf('custom_moved'), codeOf('progress_falls')]).toContain(code)
  })

  test('forty reports of progress at once: it never falls', async () => {
    const id = await into.approved()
    await Promise.all(Array.from({ length: 40 }, (_, index) => progress(id, (index * 37) % 101)))
    const { steps, progress: last } = await detail(id)
    const seen = steps.map((step) => step.progress)
    expect(seen).toEqual([...seen].sort((one, another) => one - another))
    expect(last).toBe(seen.at(-1))
  })
})

describe('who may', () => {
  test.each([
    ['a silver member', { vipLevel: 3 }, 'application_unavailable'],
    ['a bronze member', { vipLevel: 2 }, 'application_unavailable'],
    ['a visitor', { vipLevel: 0 }, 'application_unavailable'],
  ] as const)('%s may not order', async (_, options, name) => {
    const member = await server.signUp(options)
    expect((await server.call('customTask/create', request(), member)).code).toBe(codeOf(name))
    const { data } = await server.call('customTask/prices', {}, member)
    expect([data.mayUse, data.mayOrder]).toEqual([options.vipLevel >= limits.useLevel, false])
  })

  test('whoever lost the level sees their tasks, and pays none', async () => {
    await fix(PRICE)
    const id = await ask()
    await server.ctx.db.update(users).set({ vipLevel: 2 }).where(eq(users.id, who.userId))
    expect(await stateOf(id)).toBe('unpaid')
    expect((await order(id)).code).toBe(codeOf('application_unavailable'))
    expect((await remove(id)).code).toBe(OK)
  })

  test('a super member may order, whatever the level', async () => {
    const member = await server.signUp({ vipLevel: 0, vipSuper: 1 })
    expect((await server.call('customTask/create', request(), member)).code).toBe(OK)
  })

  test('an administrator’s own request needs another administrator, in every step', async () => {
    const id = await ask({}, chief)
    const refused = [
      await approve(id, 0),
      await reject(id),
      await progress(id, 1),
      await complete(id),
      await server.call('office/customProvider', { id, account: '' }, chief),
    ]
    expect(refused.map(({ code }) => code)).toEqual(Array(5).fill(codeOf('not_allowed')))
    const { data } = await server.call('office/customTasks', {}, chief)
    expect(data.tasks.find((task) => task.id === id)?.isOwn).toBe(true)
    expect((await approve(id, 0, other)).code).toBe(OK)
    expect((await progress(id, 1, other)).code).toBe(OK)
    expect((await progress(id, 2)).code).toBe(codeOf('not_allowed'))
  })

  test('the assigned provider reports, and nobody else', async () => {
    const { account, ...provider } = await server.signUp({ role: 1 })
    const stranger = await server.signUp({ role: 1 })
    const id = await into.approved()
    const assign = (to: string) => server.call('office/customProvider', { id, account: to }, chief)
    expect((await assign('nobody@example.test')).code).toBe(codeOf('custom_provider_missing'))
    const { account: member } = await server.signUp()
    expect((await assign(member)).code).toBe(codeOf('custom_provider_missing'))
    expect((await progress(id, 5, provider)).code).toBe(codeOf('custom_missing'))
    expect((await assign(account)).data.provider).toEqual({ account, nickName: 'Test member' })
    expect(await told(provider)).toEqual(['custom_assigned'])
    expect((await progress(id, 5, provider)).data.progress).toBe(5)
    for (const by of [stranger, await server.signUp()]) {
      expect((await progress(id, 50, by)).code).toBe(codeOf('custom_missing'))
      expect((await complete(id, by)).code).toBe(codeOf('custom_missing'))
    }
    expect((await progress(id, 50, who)).code).toBe(codeOf('not_allowed'))
    const mine = await server.call('customTask/assigned', {}, provider)
    expect(mine.data.tasks).toMatchObject([{ id, member: { nickName: 'Test member' } }])
    expect((await server.call('customTask/assigned', {}, stranger)).data.total).toBe(0)
    expect((await assign('')).data.provider).toBeNull()
    expect((await complete(id, provider)).code).toBe(codeOf('custom_missing'))
  })

  test('nobody works on what they asked for', async () => {
    const { account, ...provider } = await server.signUp({ role: 1, vipLevel: 4 })
    const id = await ask({}, provider)
    await approve(id, 0)
    const { code } = await server.call('office/customProvider', { id, account }, chief)
    expect(code).toBe(codeOf('not_allowed'))
  })

  test('somebody else’s task is not there', async () => {
    const id = await ask()
    const stranger = await server.signUp({ vipLevel: 4 })
    const replies = [
      await server.call('customTask/detail', { id }, stranger),
      await resubmit(id, stranger),
      await remove(id, stranger),
      await order(id, PRICE, stranger),
    ]
    expect(replies.map(({ code }) => code)).toEqual(Array(4).fill(codeOf('custom_missing')))
    expect((await server.call('customTask/list', {}, stranger)).data.tasks).toEqual([])
  })

  test('names an own project or folder, and nobody else’s', async () => {
    const { data: project } = await server.call(
      'projects/create',
      { name: 'Cytology', task: 'segmentation' },
      who,
    )
    const id = await ask({ source: { kind: 'project', id: project.id } })
    expect((await detail(id)).source).toEqual({ kind: 'project', id: project.id, name: 'Cytology' })
    const stranger = await server.signUp({ vipLevel: 4 })
    const foreign = request({ source: { kind: 'project', id: project.id } })
    expect((await server.call('customTask/create', foreign, stranger)).code).toBe(codeOf('project_missing'))
    const folder = request({ source: { kind: 'folder', id: 'no-such-folder' } })
    expect((await server.call('customTask/create', folder, who)).code).toBe(codeOf('missing'))
  })

  test('so many requests are open at one time, however many are sent at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => server.call('customTask/create', request(), who)),
    )
    expect(replies.filter(({ code }) => code === OK)).toHaveLength(limits.open)
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([OK, codeOf('custom_many')]))
  })

  test('what is missing, too long or unknown is refused', async () => {
    const bad = [
      ...[{ title: ' ' }, { title: 'x'.repeat(limits.titleLength + 1) }, { description: '' }],
      ...[{ description: 'x'.repeat(limits.descriptionLength + 1) }, { requestId: 'x' }],
    ].map((changes) => server.call('customTask/create', request(changes), who))
    const id = await into.approved()
    const codes = await Promise.all([...bad, ...[-1, 101, 0.5].map((percent) => progress(id, percent))])
    expect(codes.map(({ code }) => code)).toEqual(Array(8).fill(codeOf('invalid')))
  })
})

test('each decision is audited', async () => {
  await fix(PRICE)
  const id = await ask()
  await pay(id)
  await approve(id)
  await progress(id, 40)
  const rows = await server.ctx.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.subject, `custom:${id}`))
    .orderBy(asc(auditEvents.id))
  expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
    ['custom.ask', who.userId],
    ['custom.approved', chief.userId],
    ['custom.progress', chief.userId],
  ])
  expect(rows.at(-1)).toMatchObject({ before: { progress: 0 }, after: { progress: 40 } })
})

test('a closed account’s tasks are gone, and what was paid and not begun goes back', async () => {
  await fix(PRICE)
  const [open, begun] = [await ask(), await ask()]
  const [first, second] = [await pay(open), await pay(begun)]
  await approve(begun)
  await progress(begun, 10)
  await eraseOf(server.ctx, who.userId)
  expect(await server.ctx.db.$count(customTasks, eq(customTasks.userId, who.userId))).toBe(0)
  const given = (orderNo: string) =>
    server.ctx.db.$count(refunds, and(eq(refunds.orderNo, orderNo), eq(refunds.amountFen, PRICE)))
  expect([await given(first), await given(second)]).toEqual([1, 0])
})

test('on a hospital’s own server there is none of it', async () => {
  server.ctx.config.deployment = 'private'
  const replies = [
    await server.call('customTask/prices', {}, who),
    await server.call('customTask/create', request(), who),
    await server.call('office/customTasks', {}, chief),
  ]
  server.ctx.config.deployment = 'public'
  expect(replies.map(({ code }) => code)).toEqual(Array(3).fill(codeOf('not_found')))
})
