import { dayMs } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import type { Config } from '../../config.ts'
import { whenDue } from '../../infra/due.ts'
import { notices } from '../../infra/notices.ts'
import { tellEnds } from './level-ends.ts'
import { users } from './tables.ts'

let server: TestServer
const begin = async (config: Partial<Config> = {}) => {
  server = await makeServer(config)
}
beforeEach(() => begin())
afterEach(() => server.close())

/** Silver for so many days. */
async function member(days: number, vipSuper = 0): Promise<Session & { until: Date }> {
  const who = await server.signUp({ vipLevel: 3, vipSuper })
  const until = new Date(server.ctx.now().getTime() + days * dayMs)
  await server.ctx.db.update(users).set({ vipValid: until }).where(eq(users.id, who.userId))
  return { ...who, until }
}
const told = async ({ userId }: Session) =>
  (await server.ctx.db.select().from(notices).where(eq(notices.userId, userId)).orderBy(notices.id)).map(
    ({ kind }) => kind,
  )
/** As the worker does each hour, by the time that things are due. */
const pass = async (days: number) => {
  for (let left = days; left > 0; left -= 0.5) {
    server.forward(Math.min(0.5, left) * dayMs)
    await whenDue(server.ctx, tellEnds)
  }
}

test('a member is told two weeks, a week and a day before, and on the day; each once', async () => {
  const who = await member(20)
  await pass(5)
  expect(await told(who)).toEqual([])
  await pass(2)
  expect(await told(who)).toEqual(['level_ends'])
  await pass(6)
  expect(await told(who)).toEqual(['level_ends', 'level_ends'])
  await pass(6.5)
  expect(await told(who)).toEqual(['level_ends', 'level_ends', 'level_ends'])
  await pass(1)
  expect(await told(who)).toEqual(['level_ends', 'level_ends', 'level_ends', 'level_ended'])
  await pass(10)
  expect(await told(who)).toHaveLength(4)
  const [first] = await server.ctx.db.select().from(notices).where(eq(notices.userId, who.userId))
  expect(first?.params).toEqual({ date: who.until.toISOString().slice(0, 10) })
})

test('of several that are due the nearest alone is told, and workers at once tell it once', async () => {
  const who = await member(0.7)
  await Promise.all(Array.from({ length: 5 }, () => tellEnds(server.ctx)))
  expect(await told(who)).toEqual(['level_ends'])
})

test('whoever is given a new end is told of that one', async () => {
  const who = await member(3)
  await tellEnds(server.ctx)
  const operator = await server.signUp({ role: 2 })
  const until = new Date(server.ctx.now().getTime() + 5 * dayMs).toISOString()
  await server.call('members/level', { id: who.userId, level: 3, until }, operator)
  await tellEnds(server.ctx)
  expect((await told(who)).filter((kind) => kind === 'level_ends')).toHaveLength(2)
})

test('nothing is told of what ended long ago, does not end, or is of no account', async () => {
  const [long, never, superMember, closed] = [
    await member(-30),
    await server.signUp({ vipLevel: 4 }),
    await member(1, 1),
    await member(1),
  ]
  await server.ctx.db.update(users).set({ cancelledAt: server.ctx.now() }).where(eq(users.id, closed.userId))
  await tellEnds(server.ctx)
  for (const who of [long, never, superMember, closed]) expect(await told(who)).toEqual([])
})

test('a clock that jumps 400 days ahead tells nobody, and nobody loses a message when it is right again', async () => {
  const who = await member(30)
  await whenDue(server.ctx, tellEnds)
  server.forward(400 * dayMs)
  await whenDue(server.ctx, tellEnds)
  expect(await told(who)).toEqual([])
  server.forward(-400 * dayMs)
  await pass(20)
  expect(await told(who)).toEqual(['level_ends'])
})

test('on a hospital’s own server there are no levels to end', async () => {
  await server.close()
  await begin({ deployment: 'private' })
  const who = await member(1)
  await tellEnds(server.ctx)
  expect(await told(who)).toEqual([])
})
