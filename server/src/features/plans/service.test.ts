import { planLimits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { Failure } from '../../http/fail.ts'
import * as plans from './service.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const GIGABYTE = 1024 ** 3
const outcome = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Failure ? error.failure : String(error)),
  )
const member = async (vipLevel = 1, vipSuper = 0) => {
  const who = await server.signUp({ vipLevel, vipSuper })
  return { who, user: { id: who.userId, vipLevel, vipSuper } }
}

test('a new member uses nothing and sees the limit of the level', async () => {
  const { who } = await member(2)
  const { data } = await server.call('user/size', { userId: who.userId }, who)
  expect(data).toEqual({ storageSize: 0, storageLimit: 500 * GIGABYTE })
})

test('of a hundred parallel uploads exactly those that fit are let in', async () => {
  const { user } = await member()
  const part = GIGABYTE / 32
  const tries = Array.from({ length: 100 }, () =>
    outcome(server.ctx.db.transaction((tx) => plans.reserve(server.ctx, tx, user, part))),
  )
  const outcomes = await Promise.all(tries)
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(32)
  expect(outcomes.filter((one) => one === 'storage_full')).toHaveLength(68)
})

test('space comes back when an upload is given up or its file deleted', async () => {
  const { who, user } = await member()
  const { ctx } = server
  const size = async (): Promise<number> => (await server.call('user/size', {}, who)).data.storageSize
  await ctx.db.transaction((tx) => plans.reserve(ctx, tx, user, GIGABYTE))
  await ctx.db.transaction((tx) => plans.release(tx, user.id, GIGABYTE))
  await ctx.db.transaction((tx) => plans.reserve(ctx, tx, user, GIGABYTE))
  await ctx.db.transaction((tx) =>
    plans.commit(tx, user.id, { reservedBytes: GIGABYTE, usedBytes: GIGABYTE }),
  )
  expect(await size()).toBe(GIGABYTE)
  expect(await outcome(ctx.db.transaction((tx) => plans.reserve(ctx, tx, user, 1)))).toBe('storage_full')
  await ctx.db.transaction((tx) => plans.free(tx, user.id, GIGABYTE))
  expect(await size()).toBe(0)
})

test('super members and a private deployment have no limits', async () => {
  const { user } = await member(1, 1)
  await server.ctx.db.transaction((tx) => plans.reserve(server.ctx, tx, user, 9000 * GIGABYTE))
  const atHome = { ...server.ctx, config: { ...server.ctx.config, deployment: 'private' as const } }
  expect(plans.limitsOf(atHome, { vipLevel: 1, vipSuper: 0 })).toEqual(
    planLimits({ vipLevel: 1, vipSuper: 1 }),
  )
  expect(plans.limitsOf(server.ctx, { vipLevel: 1, vipSuper: 0 }).projects).toBe(3)
})
