import { createHash, verify } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Body } from '@neuroloom/contract/calls'
import { dayMs, shop as limits } from '@neuroloom/contract/limits'
import { feeOf } from '@neuroloom/contract/membership/money'
import { shopRules } from '@neuroloom/contract/shop/words'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeBuyer, payFor, setMember } from '../../../test/payments/member.ts'
import { about, decided, offer, offered, trainAndTest } from '../../../test/shop.ts'
import { hasEnded, makeTrainingSet, type TrainingSet, until } from '../../../test/training.ts'
import { startWorker, type TestWorker } from '../../../test/worker.ts'
import { balanceOf, findFaults, platform, post } from '../ledger/service.ts'
import { runItems } from '../runs/tables.ts'
import { recordDue } from './sales.ts'
import { holdings, listings, sales } from './tables.ts'

let server: TestServer
let seller: Session
let set: TrainingSet
let worker: TestWorker
/** A listing that the tests buy. */
let id: string
let model: { runId: string; testId: string }

const OK = 10200
const balance = (owner: string, kind: 'held' | 'wallet' | 'points' | 'fees', unit: 'fen' | 'point' = 'fen') =>
  balanceOf(server.ctx.db, { owner, kind, unit })
const buy = (who: Session, wish: Partial<Body<'shop/buy'>> = {}) =>
  server.call(
    'shop/buy',
    { id, by: 'points', priceYuan: about.priceYuan, acceptRules: shopRules, ...wish },
    who,
  )
const detail = async (who: Session, of = id) => (await server.call('shop/detail', { id: of }, who)).data
const errorOf = async (reply: ReturnType<TestServer['call']>) => (await reply).data.error
/** So many points, as a plan would have brought them. */
const givePoints = ({ userId }: Session, amount: number) =>
  server.ctx.db.transaction((tx) =>
    post(tx, {
      ...{ kind: 'plan_paid', source: `points ${userId} ${amount}`, at: new Date() },
      postings: [
        { owner: userId, kind: 'points', unit: 'point', amount },
        { owner: platform, kind: 'points_given', unit: 'point', amount: -amount },
      ],
    }),
  )
async function buyByMoney(who: Session): Promise<string> {
  const { data, message, code } = await buy(who, { by: 'money', payMethod: 1 })
  expect(code, message).toBe(OK)
  const orderNo = data.orderNo ?? ''
  expect((await payFor(server, orderNo)).status).toBe(200)
  return orderNo
}

beforeAll(async () => {
  server = await makeServer()
  seller = await makeBuyer(server, { vipSuper: 1 })
  set = await makeTrainingSet(server, seller, { items: 24 })
  worker = await startWorker(server)
  model = await trainAndTest(server, seller, { set })
  id = (await offered(server, seller, { testId: model.testId })).id
})
afterAll(async () => {
  await worker.stop()
  expect(await findFaults(server.ctx.db)).toEqual([])
  await server.close()
})

describe('a listing', () => {
  test('is in the shop when the same test said the same, with a signature that anybody can check', async () => {
    const stranger = await makeBuyer(server)
    const shown = await detail(stranger)
    const { data: run } = await server.call('runs/detail', { id: model.testId }, seller)
    expect(shown).toMatchObject({ state: 'listed', version: 1, held: null, isOwn: false, name: about.name })
    expect(shown.verified).toMatchObject({ score: run.run.score, metrics: run.run.metrics, part: 'held_out' })
    expect(shown.learned).toMatchObject({ items: 24, cases: 24, imageSize: [32, 32], startFrom: null })
    const { data } = await server.call('shop/statement', { id }, stranger)
    const signature = Buffer.from(data.signature, 'base64')
    expect(verify(null, Buffer.from(data.statement), data.publicKey, signature)).toBe(true)
    expect(verify(null, Buffer.from(`${data.statement} `), data.publicKey, signature)).toBe(false)
    expect(JSON.parse(data.statement)).toMatchObject({ listing: id, version: 1, score: run.run.score })
    const { data: found } = await server.call(
      'shop/list',
      { search: 'cells small', task: 'classification' },
      stranger,
    )
    expect(found.listings.map((one) => one.id)).toContain(id)
    const nothing = { organ: 'heart' } as const
    expect((await server.call('shop/list', nothing, stranger)).data).toMatchObject({ listings: [], total: 0 })
  })

  test('has a card of the open schema, filled from the run', async () => {
    const { data } = await server.call('shop/card', { id }, await makeBuyer(server))
    expect(data.name).toBe('Cells by a small network-model-card.xml')
    expect(data.xml).toContain('<AppliedModelCard xmlns="https://mc.chai.org/v0.2/schema.xsd">')
    expect(data.xml).toContain('<IntendedUseAndWorkflow>Teaching &amp; practice</IntendedUseAndWorkflow>')
    expect(data.xml).toContain('Knows drawn cells alone, &lt;none&gt; else')
  })

  test('is refused when a single result differs, and when its weights were tampered with', async () => {
    const other = await trainAndTest(server, seller, { set, seed: 2 })
    const ofTest = eq(runItems.runId, other.testId)
    const [item] = await server.ctx.db.select().from(runItems).where(ofTest).limit(1)
    if (!item) throw new Error('The test has no results')
    const score = (item.score ?? 0) + 1e-12
    const one = and(ofTest, eq(runItems.itemId, item.itemId))
    await server.ctx.db.update(runItems).set({ score }).where(one)
    const refused = await offered(server, seller, { testId: other.testId })
    expect(refused).toMatchObject({ state: 'refused', refusal: 'score_differs', version: 0 })
    expect(await errorOf(server.call('shop/detail', { id: refused.id }, await makeBuyer(server)))).toBe(
      'listing_missing',
    )
    // The very score again: the same listing is measured once more.
    await server.ctx.db.update(runItems).set({ score: item.score }).where(one)
    const weights = (await server.call('runs/detail', { id: other.runId }, seller)).data.run.artifacts.find(
      ({ kind }) => kind === 'weights',
    )
    const sha256 = weights?.sha256 ?? ''
    const path = join(server.ctx.config.dataDir, 'blobs', sha256.slice(0, 2), sha256)
    const { buffer } = await import('node:stream/consumers')
    const bytes = await buffer(server.ctx.storage.read(sha256))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await chmod(path, 0o600)
    await writeFile(path, bytes)
    const again = { id: refused.id, testId: other.testId, note: '' }
    expect((await server.call('shop/renew', again, seller)).data.state).toBe('checking')
    const damaged = await decided(server, seller, refused.id)
    expect(damaged).toMatchObject({ state: 'refused', version: 0 })
    expect(['weights_damaged', 'score_differs', 'test_failed']).toContain(damaged.refusal)
  })

  test('takes nothing of another member, nothing untested, nothing twice, and asks for a level', async () => {
    const stranger = await makeBuyer(server, { vipLevel: 4 })
    expect(await errorOf(offer(server, stranger, { testId: model.testId }))).toBe('run_missing')
    expect(await errorOf(offer(server, seller, { testId: model.runId }))).toBe('test_first')
    expect(await errorOf(offer(server, seller, { testId: model.testId }))).toBe('listing_twice')
    const ordinary = await makeBuyer(server)
    expect(await errorOf(offer(server, ordinary, { testId: model.testId }))).toBe('level_too_low')
    const old = { testId: model.testId, about, acceptRules: shopRules + 1 }
    expect(await errorOf(server.call('shop/offer', old, seller))).toBe('rules_changed')
    expect(await errorOf(server.call('shop/edit', { id, about }, stranger))).toBe('listing_missing')
  })

  test('is hidden and shown; whoever has it keeps it', async () => {
    const who = await makeBuyer(server)
    await givePoints(who, 200)
    await buy(who)
    expect((await server.call('shop/show', { id, isShown: false }, seller)).data.state).toBe('hidden')
    expect(await errorOf(server.call('shop/detail', { id }, await makeBuyer(server)))).toBe('listing_missing')
    expect((await detail(who)).held).toBe('points')
    expect((await server.call('shop/held', {}, who)).data.models).toMatchObject([{ id, way: 'points' }])
    expect((await server.call('shop/show', { id, isShown: true }, seller)).data.state).toBe('listed')
  })
})

describe('buying', () => {
  test('by points: the seller gets them less three percent after seven days, and no points come of it', async () => {
    const who = await makeBuyer(server)
    expect((await buy(who)).data).toMatchObject({ error: 'points_too_few', params: { have: 0, need: 101 } })
    await givePoints(who, 150)
    const before = [await balance(seller.userId, 'held', 'point'), await balance(platform, 'fees', 'point')]
    expect((await buy(who)).data).toEqual({})
    const fee = feeOf(101)
    expect(await balance(who.userId, 'points', 'point')).toBe(49)
    expect(await balance(seller.userId, 'held', 'point')).toBe((before[0] ?? 0) + 101 - fee)
    expect(await balance(platform, 'fees', 'point')).toBe((before[1] ?? 0) + fee)
    expect((await buy(who)).data.error).toBe('model_held')
    expect((await detail(who)).mine.sale).toMatchObject({ state: 'held', unit: 'point', amount: 101 })
    const { data: points } = await server.call('points/list', {}, who)
    expect(points.records[0]).toMatchObject({
      kind: 'model_paid',
      model: about.name,
      points: -101,
      level: null,
    })
  })

  test('by money: two tabs are one order, paid once, with points for it', async () => {
    const who = await makeBuyer(server)
    const [one, other] = await Promise.all([
      buy(who, { by: 'money', payMethod: 1 }),
      buy(who, { by: 'money', payMethod: 1 }),
    ])
    expect(one.data.orderNo).toBe(other.data.orderNo)
    const orderNo = one.data.orderNo ?? ''
    const before = await balance(seller.userId, 'held')
    for (let times = 0; times < 2; times += 1) await payFor(server, orderNo)
    expect((await server.call('payment/alipay/payState', { orderNo }, who)).data).toBe(1)
    expect(await balance(seller.userId, 'held')).toBe(before + 10_100 - feeOf(10_100))
    expect(await balance(who.userId, 'points', 'point')).toBe(101)
    expect((await detail(who)).held).toBe('money')
    const { data } = await server.call('payment/orders', {}, who)
    expect(data.orders[0]).toMatchObject({
      kind: 'model',
      model: { id, name: about.name },
      state: 'paid',
      level: 0,
    })
    expect(await errorOf(server.call('payment/cancel', { orderNo }, who))).toBe('order_paid')
  })

  test('money for a model that one has already goes back', async () => {
    const who = await makeBuyer(server)
    const { data } = await buy(who, { by: 'money', payMethod: 1 })
    await givePoints(who, 101)
    expect((await buy(who)).code).toBe(OK)
    await payFor(server, data.orderNo ?? '')
    const { data: list } = await server.call('payment/orders', {}, who)
    expect(['returning', 'refunded']).toContain(list.orders[0]?.state)
    expect(await server.ctx.db.$count(sales, eq(sales.buyerId, who.userId))).toBe(1)
  })

  test('by money with an invoice: the office reads what it is of, and with the money it is void', async () => {
    const who = await makeBuyer(server)
    const form = { invoice: 1, invoiceType: 0 } as const
    const missing = await buy(who, { by: 'money', ...form })
    expect(missing.data).toMatchObject({ fields: { invoiceTitle: 'invoice.title_required' } })
    const { data: first } = await buy(who, { by: 'money', ...form, invoiceTitle: 'Account Holder' })
    const { data } = await buy(who, { by: 'money', ...form, invoiceTitle: 'Ward Seven' })
    const orderNo = data.orderNo ?? ''
    expect(orderNo).toBe(first.orderNo)
    await payFor(server, orderNo)
    const judge = await server.signUp({ role: roles.administrator })
    const asked = (await server.call('office/invoices', {}, judge)).data.invoices
    expect(asked.filter((one) => one.orderNo === orderNo)).toMatchObject([
      { title: 'Ward Seven', model: about.name, level: 0, amountFen: 10_100, state: 'asked' },
    ])
    await server.call('shop/claim', { orderNo, ground: 'by_mistake' }, who)
    const { data: own } = await server.call('payment/orders', {}, who)
    expect(own.orders[0]?.invoice).toMatchObject({ title: 'Ward Seven', state: 'void' })
  })

  test('no price from the client, no old rules, not by its seller, not by a visitor, nothing that is not there', async () => {
    const who = await makeBuyer(server)
    await givePoints(who, 500)
    expect((await buy(who, { priceYuan: 1 })).data.error).toBe('price_changed')
    expect((await buy(who, { acceptRules: shopRules - 1 })).data.error).toBe('rules_changed')
    expect((await buy(who, { id: 'nothing' })).data.error).toBe('listing_missing')
    expect((await buy(seller)).data.error).toBe('own_listing')
    const visitor = await makeBuyer(server, { vipLevel: 0, type: 0 })
    expect((await buy(visitor)).data.error).toBe('level_too_low')
    const twice = await Promise.all([buy(who), buy(who), buy(who)])
    expect(twice.map(({ code }) => code).sort()).toEqual([
      OK,
      ...twice.slice(1).map(() => expect.any(Number)),
    ])
    expect(twice.filter(({ code }) => code === OK)).toHaveLength(1)
    expect(await balance(who.userId, 'points', 'point')).toBe(399)
  })

  test('free places: as many as the level has, given to another model after thirty days', async () => {
    const bronze = await makeBuyer(server, { vipLevel: 2 })
    expect(await errorOf(server.call('shop/place', { id }, await makeBuyer(server)))).toBe('place_none')
    expect((await server.call('shop/place', { id }, bronze)).data.held).toBe('place')
    expect(await errorOf(server.call('shop/weights', { id }, bronze))).toBe('model_not_bought')
    const other = await trainAndTest(server, seller, { set, seed: 3 })
    const second = (await offered(server, seller, { testId: other.testId, name: 'Second', priceYuan: 0 })).id
    const full = await server.call('shop/place', { id: second }, bronze)
    expect(full.data).toMatchObject({ error: 'place_taken', params: { most: 1 } })
    const soon = await server.call('shop/place', { id: second, instead: id }, bronze)
    expect(soon.data.error).toBe('place_too_soon')
    const since = new Date(Date.now() - limits.placeMs)
    await server.ctx.db.update(holdings).set({ since }).where(eq(holdings.userId, bronze.userId))
    expect((await server.call('shop/place', { id: second, instead: id }, bronze)).data.held).toBe('place')
    expect((await detail(bronze)).held).toBe(null)
    // The membership ends: the place with it.
    await setMember(server, bronze, { vipLevel: 1 })
    expect((await server.call('shop/held', {}, bronze)).data.models).toEqual([])
    // What is free for all is taken without a place.
    const free = await buy(bronze, { id: second, priceYuan: 0 })
    expect([free.code, (await detail(bronze, second)).held]).toEqual([OK, 'free'])
  })
})

describe('whoever has a model', () => {
  let who: Session

  let theirs: TrainingSet

  beforeAll(async () => {
    who = await makeBuyer(server, { vipLevel: 4 })
    await givePoints(who, 300)
    theirs = await makeTrainingSet(server, who, { items: 24, name: 'own cells' })
  })

  const startFrom = () =>
    server.call(
      'runs/start',
      {
        ...{ projectId: theirs.projectId, parts: theirs.parts, network: 'small_resnet', force: true },
        ...{ startFrom: id, hyper: { epochs: 1, batchSize: 8, imageSize: [32, 32], validationInterval: 1 } },
      },
      who,
    )

  test('tries it first on own images: no weights leave, and looks are counted', async () => {
    const drive = () =>
      server.call('shop/drive', { id, projectId: theirs.projectId, datasetId: theirs.datasetId }, who)
    const { data, message } = await drive()
    expect(data.kind, message).toBe('test')
    const ended = await until(server, who, { id: data.id, is: hasEnded })
    expect(ended).toMatchObject({ state: 'done', tool: about.name, network: '', parentId: null })
    expect(ended.artifacts.map(({ kind }) => kind)).not.toContain('weights')
    expect(await errorOf(server.call('runs/rerun', { id: data.id }, who))).toBe('run_by_tool')
    const again = await drive()
    await until(server, who, { id: again.data.id, is: hasEnded })
    const { mine } = await detail(who)
    expect(mine.drives.map(({ looks, score }) => [looks, score === ended.score])).toEqual([
      [1, true],
      [0, true],
    ])
    const further: string[] = []
    for (let times = 2; times < limits.drives; times += 1) further.push((await drive()).data.id)
    expect((await drive()).data).toMatchObject({ error: 'drives_limit', params: { limit: limits.drives } })
    // Nobody waits for them.
    for (const id of further) await server.call('runs/stop', { id }, who)
    // What is somebody else's is not even there.
    for (const [body, problem] of [
      [{ projectId: set.projectId }, 'project_missing'],
      [{ datasetId: set.datasetId }, 'dataset_missing'],
    ] as const) {
      const asked = { id, projectId: theirs.projectId, datasetId: theirs.datasetId, ...body }
      expect(await errorOf(server.call('shop/drive', asked, who))).toBe(problem)
    }
    const ordinary = await makeBuyer(server)
    const refused = { id, projectId: theirs.projectId, datasetId: theirs.datasetId }
    expect(await errorOf(server.call('shop/drive', refused, ordinary))).toBe('application_unavailable')
  })

  test('buys it first', async () => {
    expect((await startFrom()).data.error).toBe('model_not_bought')
    expect(await errorOf(server.call('shop/open', { id }, who))).toBe('model_not_bought')
    expect(await errorOf(server.call('shop/weights', { id }, who))).toBe('model_not_bought')
    expect(await errorOf(server.call('shop/review', { id, stars: 5 }, who))).toBe('review_not_bought')
    expect((await buy(who)).code).toBe(OK)
  })

  test('begins a training with it', async () => {
    const { data, message } = await startFrom()
    expect(data.startFrom, message).toMatchObject({ id, model: about.name, isSameProject: false })
    const ended = await until(server, who, { id: data.id, is: hasEnded })
    expect(ended.startFrom?.taken).toMatchObject({ parameters: ended.parameters })
    expect((await detail(who)).usedIn).toBe(1)
    // What began with it may not be sold under a licence that keeps it with its buyer.
    const made = await server.call('runs/test', { id: data.id, datasets: [theirs.datasetId] }, who)
    await until(server, who, { id: made.data.id, is: hasEnded })
    expect(await errorOf(offer(server, who, { testId: made.data.id }))).toBe('model_not_own')
    const { data: all } = await server.call('shop/candidates', {}, who)
    expect(all.candidates).toMatchObject([{ testId: made.data.id, isBlocked: true }])
  })

  test('opens its network, takes its weights away, and says how it is', async () => {
    const strange = { id, projectId: set.projectId, datasetId: set.datasetId }
    expect(await errorOf(server.call('shop/predict', strange, who))).toBe('project_missing')
    const { data: opened } = await server.call('shop/open', { id }, who)
    const { data: network } = await server.call('networks/open', { id: opened.networkId }, who)
    expect([network.name, network.mistakes]).toEqual([about.name, 0])
    const { data: file } = await server.call('shop/weights', { id }, who)
    const bytes = Buffer.from(await (await fetch(`${server.url}${file.url}`)).arrayBuffer())
    const { data: statement } = await server.call('shop/statement', { id }, who)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(JSON.parse(statement.statement).weights).toEqual({ sha256, bytes: file.sizeBytes })
    // Safetensors: a length, then a head of JSON.
    const head = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString('utf8'))
    expect(Object.keys(head).length).toBeGreaterThan(3)
    await server.call('shop/review', { id, stars: 2, text: 'So so' }, who)
    const shown = await server.call('shop/review', { id, stars: 4, text: 'Better' }, who)
    expect(shown.data.rating).toEqual({ stars: 4, reviews: 1 })
    const { data: reviews } = await server.call('shop/reviews', { id }, await makeBuyer(server))
    expect(reviews.reviews).toMatchObject([{ stars: 4, text: 'Better', isOwn: false, version: 1 }])
  })
})

describe('within seven days', () => {
  const claim = (who: Session, wish: Body<'shop/claim'>) => server.call('shop/claim', wish, who)

  test('what was bought by mistake and not used goes back at once, money and points alike', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buyByMoney(who)
    const before = await balance(seller.userId, 'held')
    expect(await errorOf(claim(await makeBuyer(server), { orderNo, ground: 'by_mistake' }))).toBe(
      'order_missing',
    )
    expect((await claim(who, { orderNo, ground: 'by_mistake' })).data.state).toBe('granted')
    expect(await balance(seller.userId, 'held')).toBe(before - 10_100 + feeOf(10_100))
    expect(await balance(who.userId, 'points', 'point')).toBe(0)
    const shown = await detail(who)
    expect([shown.held, ['returning', 'refunded'].includes(shown.mine.sale?.state ?? '')]).toEqual([
      null,
      true,
    ])
    expect(await errorOf(claim(who, { orderNo, ground: 'unsafe' }))).toBe('claim_late')
    const by = await makeBuyer(server)
    await givePoints(by, 101)
    await buy(by)
    const { sale } = (await detail(by)).mine
    await claim(by, { orderNo: sale?.orderNo ?? '', ground: 'by_mistake' })
    expect(await balance(by.userId, 'points', 'point')).toBe(101)
    // It may be bought again; what was taken away is used.
    expect((await buy(by)).code).toBe(OK)
    await server.call('shop/weights', { id }, by)
    const again = (await detail(by)).mine.sale?.orderNo ?? ''
    expect(await errorOf(claim(by, { orderNo: again, ground: 'by_mistake' }))).toBe('claim_used')
  })

  test('"not as described" is decided by the seller’s test, run once more', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buyByMoney(who)
    const { data } = await claim(who, { orderNo, ground: 'not_as_described', text: 'Worse here' })
    expect(data.state).toBe('open')
    expect((await detail(await makeBuyer(server))).isDisputed).toBe(true)
    await vi.waitFor(async () => expect((await detail(who)).mine.sale?.claim?.state).toBe('refused'), {
      timeout: 60_000,
      interval: 100,
    })
    expect((await detail(who)).held).toBe('money')
    expect(await errorOf(claim(who, { orderNo, ground: 'unsafe' }))).toBe('claim_twice')
  })

  test('the points that came with the money go with it, also those that were spent', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buyByMoney(who)
    await givePoints(who, -90)
    expect((await claim(who, { orderNo, ground: 'by_mistake' })).data.state).toBe('granted')
    expect(await balance(who.userId, 'points', 'point')).toBe(-90)
    expect((await buy(who)).data).toMatchObject({ error: 'points_too_few', params: { have: -90 } })
  })

  test('an administrator who gives the money back by the order answers the claim, too', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buyByMoney(who)
    await claim(who, { orderNo, ground: 'unsafe', text: 'It is' })
    const judge = await server.signUp({ role: roles.administrator })
    const part = { orderNo, amountFen: 5_000, reason: 'Half of it' }
    expect(await errorOf(server.call('office/refund', part, judge))).toBe('amount_differs')
    expect((await server.call('office/refund', { ...part, amountFen: 10_100 }, judge)).code).toBe(OK)
    expect((await detail(who)).mine.sale?.claim).toMatchObject({ state: 'granted' })
    const { data } = await server.call('office/claims', {}, judge)
    expect(data.claims.map(({ sale }) => sale.orderNo)).not.toContain(orderNo)
  })

  test.each([400, -400])('a clock that jumps by %d days sells nothing and records no sale', async (days) => {
    const who = await makeBuyer(server)
    const orderNo = await buyByMoney(who)
    const before = await balance(seller.userId, 'wallet')
    server.forward(days * dayMs)
    try {
      const other = await makeBuyer(server)
      await givePoints(other, 101)
      for (const by of ['points', 'money'] as const)
        expect((await buy(other, { by })).data.error).toBe('clock_doubtful')
      await recordDue(server.ctx)
    } finally {
      server.forward(-days * dayMs)
    }
    expect(await balance(seller.userId, 'wallet')).toBe(before)
    expect((await claim(who, { orderNo, ground: 'by_mistake' })).data.state).toBe('granted')
  })

  test('other grounds are decided by an administrator, once, with the reason, and not in an own case', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buyByMoney(who)
    const judge = await server.signUp({ role: roles.administrator })
    const { data } = await claim(who, { orderNo, ground: 'does_not_work', text: 'It ends with an error' })
    await vi.waitFor(async () => {
      const { items } = (await server.call('notice/list', {}, judge)).data
      expect(items.map(({ kind }) => kind)).toEqual(['office_claim'])
    })
    const decision = { id: data.id, decision: 'granted', reason: 'Seen here too' } as const
    expect((await server.call('office/claim', decision, who)).code).not.toBe(OK)
    await setMember(server, who, { role: roles.administrator })
    expect(await errorOf(server.call('office/claim', decision, who))).toBe('not_allowed')
    const { data: seen } = await server.call('office/claims', {}, who)
    expect(seen.claims.find((one) => one.id === data.id)?.isOwn).toBe(true)
    await setMember(server, who, { role: roles.member })
    const { data: open } = await server.call('office/claims', {}, judge)
    expect(open.claims.find((one) => one.id === data.id)?.isOwn).toBe(false)
    const done = await server.call('office/claim', decision, judge)
    expect(done.data).toMatchObject({ state: 'granted', reason: 'Seen here too', check: null })
    expect(await errorOf(server.call('office/claim', decision, judge))).toBe('order_over')
    expect((await detail(who)).held).toBe(null)
  })

  test('and after them the money is the seller’s; a claim comes too late, an open one holds it', async () => {
    const [calm, upset] = [await makeBuyer(server), await makeBuyer(server)]
    const orderNo = await buyByMoney(calm)
    const claimed = await buyByMoney(upset)
    await claim(upset, { orderNo: claimed, ground: 'rights_of_others', text: 'It is mine' })
    const before = await balance(seller.userId, 'wallet')
    await server.ctx.db.update(sales).set({ recordAt: new Date() })
    await recordDue(server.ctx)
    const rows = await server.ctx.db.select().from(sales)
    const stateOf = (number: string) => rows.find((row) => row.orderNo === number)?.state
    expect([stateOf(orderNo), stateOf(claimed)]).toEqual(['recorded', 'held'])
    const recorded = rows.filter(({ state, unit }) => state === 'recorded' && unit === 'fen')
    const shares = recorded.reduce((sum, { amount }) => sum + amount - feeOf(amount), 0)
    expect((await balance(seller.userId, 'wallet')) - before).toBe(shares)
    expect(await errorOf(claim(calm, { orderNo, ground: 'by_mistake' }))).toBe('claim_late')
    const judge = await server.signUp({ role: roles.administrator })
    const refund = { orderNo, amountFen: 10_100, reason: 'Too late' }
    expect(await errorOf(server.call('office/refund', refund, judge))).toBe('order_over')
  })
})

test('an administrator takes a listing out for a reason: nobody buys or uses it, and its seller reads why', async () => {
  const judge = await server.signUp({ role: roles.administrator })
  const who = await makeBuyer(server)
  await givePoints(who, 101)
  await buy(who)
  const { data } = await server.call(
    'office/listing',
    { id, decision: { is: 'banned', reason: 'Patients named' } },
    judge,
  )
  expect(data).toMatchObject({ state: 'banned', banReason: 'Patients named' })
  expect(await errorOf(server.call('shop/weights', { id }, who))).toBe('model_not_bought')
  expect((await detail(seller)).banReason).toBe('Patients named')
  const shown = await server.call('shop/show', { id, isShown: true }, seller)
  expect(shown.data).toMatchObject({ error: 'listing_banned', params: { reason: 'Patients named' } })
  const back = { id, decision: { is: 'allowed' } } as const
  await setMember(server, seller, { role: roles.administrator })
  expect(await errorOf(server.call('office/listing', back, seller))).toBe('not_allowed')
  await setMember(server, seller, { role: roles.member })
  await server.call('office/listing', back, judge)
  const [row] = await server.ctx.db.select().from(listings).where(eq(listings.id, id))
  expect(row?.state).toBe('hidden')
  expect((await server.call('shop/weights', { id }, who)).code).toBe(OK)
})
