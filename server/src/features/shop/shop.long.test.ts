/** Who bought a model keeps it when its seller is gone: with trainings of another seller. */
import type { ChildProcess } from 'node:child_process'
import { shopRules } from '@neuroloom/contract/shop/words'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeBuyer } from '../../../test/payments/member.ts'
import { offered, trainAndTest } from '../../../test/shop.ts'
import {
  gone,
  hasEnded,
  makeTrainingSet,
  spawnWorker,
  type TrainingSet,
  until,
} from '../../../test/training.ts'
import { makeWorker } from '../../../test/worker.ts'
import { findFaults, platform, post } from '../ledger/service.ts'
import { eraseOf as eraseRuns } from '../runs/erase.ts'
import { listings } from './tables.ts'

let server: TestServer
let worker: ChildProcess

const OK = 10200
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

beforeAll(async () => {
  server = await makeServer()
  worker = await spawnWorker(server)
})
afterAll(async () => {
  worker.kill('SIGTERM')
  await gone(worker)
  expect(await findFaults(server.ctx.db)).toEqual([])
  await server.close()
})

describe('whoever has a model', () => {
  let who: Session
  let theirs: TrainingSet
  beforeAll(async () => {
    who = await makeBuyer(server, { vipLevel: 4 })
    await givePoints(who, 300)
    theirs = await makeTrainingSet(server, who, { items: 24, name: 'own cells' })
  })

  test('keeps it when the seller is gone, whose runs are gone too', async () => {
    const other = await makeBuyer(server, { vipSuper: 1 })
    const own = await makeTrainingSet(server, other, { items: 24, name: 'of another' })
    const made = await trainAndTest(server, other, { set: own, seed: 9 })
    const listed = await offered(server, other, { testId: made.testId, priceYuan: 7 })
    const wish = { id: listed.id, acceptRules: shopRules, priceYuan: 7, by: 'points' } as const
    expect((await server.call('shop/buy', wish, who)).code).toBe(OK)
    const more = await trainAndTest(server, other, { set: own, seed: 10 })
    const unsold = await offered(server, other, { testId: more.testId })
    const erasing = await makeWorker(server)
    await eraseRuns(erasing, other.userId)
    const { eraseOf } = await import('./own.ts')
    await eraseOf(erasing, other.userId)
    // What nobody has is gone.
    expect(await server.ctx.db.$count(listings, eq(listings.id, unsold.id))).toBe(0)
    const { data: held } = await server.call('shop/held', {}, who)
    expect(held.models.map((one) => one.id)).toContain(listed.id)
    expect(await errorOf(server.call('shop/buy', wish, await makeBuyer(server)))).toBe('listing_missing')
    const { data } = await server.call(
      'runs/start',
      {
        ...{ projectId: theirs.projectId, parts: theirs.parts, network: 'small_resnet', force: true },
        ...{
          startFrom: listed.id,
          hyper: { epochs: 1, batchSize: 8, imageSize: [32, 32], validationInterval: 1 },
        },
      },
      who,
    )
    expect((await until(server, who, { id: data.id, is: hasEnded })).state).toBe('done')
  })
})
