/** As many boxes as a reading may have. */
import { labelling as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { boxThing, makeSet, stepOf } from '../../../test/labels.ts'
import { createRoom } from '../../infra/room.ts'
import { fold } from './wholes.ts'

/** The disk as the server is told of it. */
const disk = { freeBytes: 1e12, totalBytes: 1e12 }
let server: TestServer
beforeAll(async () => {
  const room = createRoom({ folder: '/', minFreeBytes: 2e9, probe: async () => ({ ...disk }), knownMs: 0 })
  server = await makeServer({}, { room })
})
afterAll(() => server.close())

async function begin(who: Session) {
  const set = await makeSet(server, who)
  const itemId = set.items[2]?.id ?? ''
  const { data } = await server.call('labelling/open', { itemId }, who)
  return { itemId, readingId: data.reading?.id ?? '' }
}

it('100,000 boxes are taken, one more is refused, and one fewer makes room', async () => {
  const me = await server.signUp()
  const { itemId, readingId } = await begin(me)
  const add = (from: number, to: number) => {
    const steps = Array.from({ length: to - from }, (_, index) =>
      stepOf({ do: 'thing', before: null, after: boxThing(`box-${from + index}`) }),
    )
    return server.call('labelling/save', { readingId, after: from, steps }, me)
  }
  // All but the last two calls' boxes, as calls would have kept them.
  const most = limits.things - 2 * limits.steps
  await server.ctx.pool.query(
    `insert into label_steps
      select $1, 1 + n, 'filled-' || n, 'filled-stroke', 'box', 0, now(),
        jsonb_set($2::jsonb, '{after,id}', to_jsonb('box-' || n))
      from generate_series(0, $3 - 1) n`,
    [readingId, JSON.stringify({ do: 'thing', before: null, after: boxThing('') }), most],
  )
  await server.ctx.pool.query('update label_readings set seq = $2, things = $2 where id = $1', [
    ...[readingId, most],
  ])
  await fold(server.ctx, readingId)
  for (let from = most; from < limits.things; from += limits.steps) {
    const { code, message } = await add(from, from + limits.steps)
    expect(code, message).toBe(10200)
  }
  await fold(server.ctx, readingId)
  const { data } = await server.call('labelling/open', { itemId }, me)
  expect([data.whole.things.length, data.steps.length]).toEqual([limits.things, 0])
  expect((await add(limits.things, limits.things + 1)).data).toMatchObject({ error: 'step_refused' })
  const less = [stepOf({ do: 'thing', before: boxThing('box-7'), after: null })]
  await server.call('labelling/save', { readingId, after: limits.things, steps: less }, me)
  expect((await add(limits.things, limits.things + 1)).code).toBe(10200)
})
