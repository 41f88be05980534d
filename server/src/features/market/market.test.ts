import { feeOf } from '@neuroloom/contract/membership/money'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import {
  assignedDemand,
  deliverWork,
  demandForm,
  makeOffer,
  makeProvider,
  orderWork,
  postDemand,
} from '../../../test/market.ts'
import { makeBuyer, orderOf, payFor, setMember } from '../../../test/payments/member.ts'
import { upload } from '../../../test/uploads.ts'
import { notices } from '../../infra/notices.ts'
import { files } from '../files/tables.ts'
import { balanceOf, findFaults, platform } from '../ledger/service.ts'
import { sendRefund } from '../payments/refund.ts'
import { refunds } from '../payments/tables.ts'
import { remindDue } from './remind.ts'
import { demandDeliveries } from './tables.ts'

let server: TestServer
let owner: Session
let provider: Session
let chief: Session
beforeAll(async () => {
  server = await makeServer()
  owner = await makeBuyer(server)
  provider = await makeProvider(server)
  chief = await server.signUp({ role: 2 })
})
afterAll(async () => {
  expect(await findFaults(server.ctx.db)).toEqual([])
  await server.close()
})

const OK = 10200
const money = (of: string, kind: 'escrow' | 'wallet' | 'returning' | 'fees') =>
  balanceOf(server.ctx.db, { owner: of, kind, unit: 'fen' })
const detail = async (id: string, who: Session) => (await server.call('demand/detail', { id }, who)).data
const errorOf = async (reply: ReturnType<TestServer['call']>) => (await reply).data.error
const kindsOf = async ({ userId }: Session) => {
  const rows = await server.ctx.db.select().from(notices).where(eq(notices.userId, userId))
  return rows.map(({ kind }) => kind)
}
/** What a deed moved, in fen, of the customer, the provider and the platform. */
async function moved(deed: () => Promise<unknown>, { of = owner, to = provider } = {}) {
  const read = async () => [
    await money(of.userId, 'escrow'),
    await money(of.userId, 'returning'),
    await money(to.userId, 'wallet'),
    await money(platform, 'fees'),
  ]
  const before = await read()
  await deed()
  return (await read()).map((after, place) => after - (before[place] ?? 0))
}
const openFile = async (id: string, who: Session) => {
  const { data } = await server.call('market/file', { id }, who)
  return (await fetch(`${server.url}${data.url}`)).text()
}
async function fileOf(who: Session, name: string, text: string): Promise<string> {
  await upload(server, who, { files: [{ path: name, bytes: Buffer.from(text) }] })
  const [row] = await server.ctx.db.select().from(files).where(eq(files.name, name))
  return row?.id ?? ''
}

describe('an order of work', () => {
  test('goes from post to rating between two members, and every fen is where it belongs', async () => {
    const attached = await fileOf(owner, 'task.txt', 'what to outline')
    const { id, attachments } = await postDemand(server, owner, { fileIds: [attached] })
    const other = await makeProvider(server)
    await makeOffer(server, other, { demandId: id, priceFen: 190_000 })
    const own = await makeOffer(server, provider, { demandId: id })
    // Others' offers are the owner's to see.
    expect(own.offerList.map((one) => one.provider.id)).toEqual([provider.userId])
    expect((await detail(id, owner)).offerList.map((one) => one.priceFen)).toEqual([150_050, 190_000])
    expect(await openFile(attachments[0]?.id ?? '', other)).toBe('what to outline')
    expect(await moved(() => orderWork(server, { owner, provider, demandId: id }))).toEqual([
      150_050, 0, 0, 0,
    ])
    expect(await detail(id, provider)).toMatchObject({
      state: 'assigned',
      work: { isProvider: true, heldFen: 150_050, releasedFen: 0 },
      may: ['deliver', 'dispute', 'give_up'],
    })
    // A provider who was not chosen sees that it is over, and nothing of the work.
    expect(await detail(id, other)).toMatchObject({ state: 'assigned', work: null, may: [] })
    const result = await fileOf(provider, 'masks.txt', 'the masks')
    const deliveryId = await deliverWork(server, provider, { id, fileIds: [result] })
    expect(await errorOf(server.call('demand/accept', { id, deliveryId }, provider))).toBe('demand_state')
    await server.call('demand/sendBack', { id, text: 'Image 7 is missing.' }, owner)
    expect(await detail(id, provider)).toMatchObject({ state: 'assigned' })
    expect(await errorOf(server.call('demand/accept', { id, deliveryId }, owner))).toBe('demand_state')
    const second = await deliverWork(server, provider, { id, fileIds: [result] })
    const delivered = (await detail(id, owner)).work?.deliveries ?? []
    expect(delivered.map((one) => [one.state, one.answer])).toEqual([
      ['sent_back', 'Image 7 is missing.'],
      ['waiting', ''],
    ])
    // What was delivered is kept, whatever becomes of the file of the cloud.
    await server.ctx.db.delete(files).where(eq(files.id, result))
    const given = delivered[1]?.files[0]?.id ?? ''
    expect(await openFile(given, owner)).toBe('the masks')
    for (const stranger of [other, chief, await makeBuyer(server)])
      expect(await errorOf(server.call('market/file', { id: given }, stranger))).toBe('missing')
    // 3 % of 1500.50 yuan, rounded half up once: 45.02 yuan.
    expect(await moved(() => server.call('demand/accept', { id, deliveryId: second }, owner))).toEqual([
      -150_050,
      0,
      150_050 - 4502,
      4502,
    ])
    expect(feeOf(150_050)).toBe(4502)
    expect(await detail(id, owner)).toMatchObject({ state: 'accepted', may: ['rate'], work: { heldFen: 0 } })
    expect(await errorOf(server.call('demand/rate', { id, stars: 5 }, provider))).toBe('demand_state')
    const rated = await server.call('demand/rate', { id, stars: 4, text: 'Careful work.' }, owner)
    expect(rated.data).toMatchObject({
      state: 'closed',
      may: [],
      work: { end: 'rated', rating: { stars: 4 } },
    })
    expect(await errorOf(server.call('demand/rate', { id, stars: 1 }, owner))).toBe('demand_state')
    expect(await kindsOf(provider)).toEqual(
      expect.arrayContaining(['offer_selected', 'work_sent_back', 'work_accepted', 'work_rated']),
    )
    expect(await kindsOf(other)).toContain('offer_declined')
    expect(await kindsOf(owner)).toEqual(expect.arrayContaining(['offer_received', 'work_delivered']))
    const { data } = await server.call('wallet/records', {}, provider)
    expect(data.records[0]).toMatchObject({
      direction: 'in',
      status: 'recorded',
      work: rated.data.title,
      model: null,
    })
  })

  test('is paid milestone by milestone, and the fee of all of them is rounded once', async () => {
    const milestones = [
      { title: 'Draft', priceFen: 50 },
      { title: 'All images', priceFen: 50 },
      { title: 'Report', priceFen: 50 },
    ]
    const { id } = await assignedDemand(server, { owner, provider, priceFen: 150, milestones })
    const steps: number[][] = []
    for (const part of [0, 1, 2]) {
      const deliveryId = await deliverWork(server, provider, { id })
      expect((await detail(id, owner)).work?.accepted).toBe(part)
      steps.push(await moved(() => server.call('demand/accept', { id, deliveryId }, owner)))
    }
    // 3 % of 150 fen are 4.5, which is 5; each part alone would be 1.5, three times 2.
    expect(steps).toEqual([
      [-50, 0, 48, 2],
      [-50, 0, 49, 1],
      [-50, 0, 48, 2],
    ])
    expect(await detail(id, owner)).toMatchObject({ state: 'accepted' })
  })

  test('in dispute is decided by an administrator who takes no part, to the fen', async () => {
    const milestones = [
      { title: 'Draft', priceFen: 40_000 },
      { title: 'Final', priceFen: 60_000 },
    ]
    const judge = await server.signUp({ role: 2 })
    const { id, orderNo } = await assignedDemand(server, {
      ...{ owner, provider, priceFen: 100_000, milestones },
    })
    const draft = await fileOf(provider, 'draft.txt', 'the draft')
    const deliveryId = await deliverWork(server, provider, { id, fileIds: [draft] })
    await server.call('demand/accept', { id, deliveryId }, owner)
    expect((await detail(id, judge)).work).toBeNull()
    const stranger = await makeBuyer(server)
    expect(await errorOf(server.call('demand/dispute', { id, reason: 'Mine!' }, stranger))).toBe(
      'demand_missing',
    )
    expect((await server.call('demand/dispute', { id, reason: 'No answer for weeks.' }, owner)).code).toBe(OK)
    expect(await errorOf(server.call('demand/giveUp', { id, reason: 'Fine.' }, provider))).toBe(
      'demand_state',
    )
    const seen = (await detail(id, judge)).work?.deliveries[0]?.files[0]?.id ?? ''
    expect(await openFile(seen, judge)).toBe('the draft')
    const decision = { id, providerFen: 20_000, reason: 'Half of the second part is there.' }
    expect(await errorOf(server.call('office/dispute', decision, owner))).toBe('not_allowed')
    expect(await errorOf(server.call('office/dispute', { ...decision, providerFen: 60_001 }, judge))).toBe(
      'split_too_much',
    )
    // Its order gives the money back by no other way.
    expect(
      await errorOf(server.call('office/refund', { orderNo, amountFen: 60_000, reason: 'Please.' }, judge)),
    ).toBe('work_refund')
    const { data: waiting } = await server.call('office/demands', {}, judge)
    expect(waiting.demands.map((one) => [one.id, one.isParty, one.work?.heldFen])).toEqual([
      [id, false, 60_000],
    ])
    expect(await moved(() => server.call('office/dispute', decision, judge))).toEqual([
      -60_000,
      40_000,
      20_000 - (feeOf(60_000) - feeOf(40_000)),
      feeOf(60_000) - feeOf(40_000),
    ])
    expect(await errorOf(server.call('office/dispute', decision, judge))).toBe('demand_state')
    expect(await errorOf(server.call('market/file', { id: seen }, judge))).toBe('missing')
    const closed = await detail(id, owner)
    expect(closed).toMatchObject({ state: 'closed', may: [], work: { end: 'decided' } })
    expect(closed.work?.dispute?.decision).toEqual({
      ...{ providerFen: 20_000, ownerFen: 40_000, reason: decision.reason },
    })
    const [refund] = await server.ctx.db.select().from(refunds).where(eq(refunds.orderNo, orderNo))
    await sendRefund(server.ctx, refund?.refundNo ?? '')
    expect(await money(owner.userId, 'returning')).toBe(0)
    expect((await orderOf(server, orderNo)).state).toBe('refunded')
    const own = await makeOwnDispute(judge)
    expect(
      await errorOf(server.call('office/dispute', { id: own, providerFen: 0, reason: 'For me.' }, judge)),
    ).toBe('not_allowed')
    await server.call('office/dispute', { id: own, providerFen: 150_050, reason: 'All was done.' }, chief)
    expect((await detail(own, judge)).state).toBe('closed')
  })

  /** Of an administrator who has work done. */
  async function makeOwnDispute(judge: Session): Promise<string> {
    await setMember(server, judge, { name: 'Judge', type: 1, vipLevel: 1 })
    const { id } = await assignedDemand(server, { owner: judge, provider })
    await server.call('demand/dispute', { id, reason: 'It is not what I asked for.' }, provider)
    return id
  }

  test('is given up by its provider: what is held goes back', async () => {
    const { id, orderNo } = await assignedDemand(server, { owner, provider })
    expect(await errorOf(server.call('demand/giveUp', { id, reason: 'No.' }, owner))).toBe('demand_state')
    expect(await moved(() => server.call('demand/giveUp', { id, reason: 'I fell ill.' }, provider))).toEqual([
      ...[-150_050, 150_050, 0, 0],
    ])
    expect(await detail(id, owner)).toMatchObject({ state: 'closed', work: { end: 'given_up' } })
    const [refund] = await server.ctx.db.select().from(refunds).where(eq(refunds.orderNo, orderNo))
    expect(refund).toMatchObject({ amountFen: 150_050, reason: 'I fell ill.' })
    await sendRefund(server.ctx, refund?.refundNo ?? '')
  })

  test('of which a hundred things are asked at once does exactly one of them, and money is conserved', async () => {
    const { id } = await assignedDemand(server, { owner, provider })
    const deliveryId = await deliverWork(server, provider, { id })
    const deeds = [
      () => server.call('demand/accept', { id, deliveryId }, owner),
      () => server.call('demand/dispute', { id, reason: 'Not so.' }, owner),
      () => server.call('demand/dispute', { id, reason: 'Pay me.' }, provider),
      () => server.call('demand/giveUp', { id, reason: 'Enough.' }, provider),
      () => server.call('demand/withdraw', { id }, owner),
      () => server.call('demand/rate', { id, stars: 5 }, owner),
      () => server.call('office/dispute', { id, providerFen: 1, reason: 'Now.' }, chief),
    ]
    const held = await money(owner.userId, 'escrow')
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, place) => deeds[place % deeds.length]?.()),
    )
    const done = results.flatMap((reply, place) => (reply?.code === OK ? [place % deeds.length] : []))
    const { state } = await detail(id, owner)
    // The second deed of a lawful pair may follow the first: a rating after acceptance, a decision after a dispute.
    const first = done.filter((deed) => deed <= 3)
    expect(first).toHaveLength(1)
    expect(done.length).toBeLessThanOrEqual(2)
    expect(
      results.filter((reply) => reply?.code !== OK).every((reply) => reply?.data.error === 'demand_state'),
    ).toBe(true)
    if (state === 'disputed')
      await server.call('office/dispute', { id, providerFen: 0, reason: 'Back.' }, chief)
    expect(await money(owner.userId, 'escrow')).toBe(held - 150_050)
    expect(await findFaults(server.ctx.db)).toEqual([])
  })

  test('that was changed, withdrawn or taken meanwhile is not bought: the money goes back by itself', async () => {
    const { id } = await postDemand(server, owner)
    const { offerList } = await makeOffer(server, provider, { demandId: id })
    const offerId = offerList[0]?.id ?? ''
    const ordered = await server.call('offer/select', { offerId, revision: 1 }, owner)
    // Selected twice, it is one order.
    expect((await server.call('offer/select', { offerId, revision: 1 }, owner)).data.orderNo).toBe(
      ordered.data.orderNo,
    )
    await makeOffer(server, provider, { demandId: id, priceFen: 160_000 })
    expect(await errorOf(server.call('offer/select', { offerId, revision: 1 }, owner))).toBe('offer_changed')
    await payFor(server, ordered.data.orderNo)
    expect((await orderOf(server, ordered.data.orderNo)).state).toBe('returning')
    expect(await detail(id, owner)).toMatchObject({ state: 'open', work: null })
    const again = await server.call('offer/select', { offerId, revision: 2 }, owner)
    await server.call('demand/withdraw', { id }, owner)
    await payFor(server, again.data.orderNo)
    expect((await orderOf(server, again.data.orderNo)).state).toBe('returning')
    expect(await money(owner.userId, 'escrow')).toBe(0)
    const rows = await server.ctx.db.select().from(refunds)
    for (const { refundNo } of rows) await sendRefund(server.ctx, refundNo)
  })
})

describe('the market', () => {
  test('refuses what is not one’s own to do', async () => {
    const visitor = await server.signUp({ vipLevel: 0 })
    expect(await errorOf(server.call('demand/post', demandForm(), visitor))).toBe('level_too_low')
    expect(await errorOf(server.call('demand/post', demandForm({ deadline: '2020-01-01' }), owner))).toBe(
      'deadline_past',
    )
    const foreign = await fileOf(provider, 'own.txt', 'mine')
    expect(await errorOf(server.call('demand/post', demandForm({ fileIds: [foreign] }), owner))).toBe(
      'missing',
    )
    const { id } = await postDemand(server, provider)
    const offer = { demandId: id, priceFen: 100, days: 1, text: 'I do it.' }
    expect(await errorOf(server.call('offer/save', offer, provider))).toBe('own_demand')
    expect(await errorOf(server.call('offer/save', offer, owner))).toBe('not_allowed')
    const sums = { ...offer, milestones: [{ title: 'Half', priceFen: 50 }] }
    expect((await server.call('offer/save', sums, await makeProvider(server))).code).not.toBe(OK)
    expect(await errorOf(server.call('demand/edit', { ...demandForm(), id }, owner))).toBe('demand_missing')
    expect(await errorOf(server.call('demand/withdraw', { id }, owner))).toBe('demand_missing')
    expect(await errorOf(server.call('offer/remove', { demandId: id }, owner))).toBe('offer_missing')
    expect((await server.call('demand/detail', { id }, visitor)).code).toBe(OK)
    await server.call('demand/withdraw', { id }, provider)
    expect(await errorOf(server.call('demand/detail', { id }, visitor))).toBe('demand_missing')
    const { data } = await server.call('demand/list', { search: 'outline' }, visitor)
    expect(data.demands.map((one) => one.id)).not.toContain(id)
  })

  test('lets an open demand be changed, its files with it, and an offer be taken back', async () => {
    const one = await fileOf(owner, 'one.txt', 'one')
    const two = await fileOf(owner, 'two.txt', 'two')
    const { id, attachments } = await postDemand(server, owner, { fileIds: [one] })
    await makeOffer(server, provider, { demandId: id })
    const form = { ...demandForm({ title: 'Outline 300 images', fileIds: [two] }), id, keep: [] }
    const changed = await server.call('demand/edit', form, owner)
    expect(changed.data).toMatchObject({ title: 'Outline 300 images', attachments: [{ name: 'two.txt' }] })
    expect(await errorOf(server.call('market/file', { id: attachments[0]?.id ?? '' }, owner))).toBe('missing')
    const { data } = await server.call('offer/remove', { demandId: id }, provider)
    expect(data).toMatchObject({ offers: 0, hasOffered: false })
    expect((await server.call('demand/list', { list: 'own' }, owner)).data.demands[0]).toMatchObject({
      id,
      offers: 0,
    })
  })

  test('reminds a customer who does not answer, a week apart, and pays nothing by silence', async () => {
    const { id } = await assignedDemand(server, { owner, provider })
    await deliverWork(server, provider, { id })
    const held = await money(owner.userId, 'escrow')
    const reminders = async () => (await kindsOf(owner)).filter((kind) => kind === 'work_reminder').length
    await remindDue(server.ctx)
    expect(await reminders()).toBe(0)
    const old = new Date(Date.now() - 8 * 86_400_000)
    await server.ctx.db.update(demandDeliveries).set({ at: old }).where(eq(demandDeliveries.demandId, id))
    await remindDue(server.ctx)
    await remindDue(server.ctx)
    expect(await reminders()).toBe(1)
    expect(await money(owner.userId, 'escrow')).toBe(held)
  })

  test('keeps an account open while money of its work is held', async () => {
    const customer = await makeBuyer(server)
    const worker = await makeProvider(server)
    const { id } = await assignedDemand(server, { owner: customer, provider: worker })
    for (const who of [customer, worker])
      expect(await errorOf(server.call('user/cancel', { password: PASSWORD }, who))).toBe('work_held')
    await server.call('demand/giveUp', { id, reason: 'No time.' }, worker)
    expect((await server.call('user/cancel', { password: PASSWORD }, worker)).code).toBe(OK)
  })

  test('is not there on a hospital’s own server', async () => {
    const { config } = server.ctx
    config.deployment = 'private'
    try {
      for (const path of ['demand/list', 'office/demands'] as const)
        expect(await errorOf(server.call(path, {}, chief)), path).toBe('not_found')
    } finally {
      config.deployment = 'public'
    }
  })
})
