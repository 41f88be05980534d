/** Many looks into networks at once. */
import type { Body } from '@neuroloom/contract/calls'
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'

let server: TestServer
let session: Session

beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  session = await server.signUp()
})
afterAll(() => server.close())

const look = (change: Partial<Body<'networks/look'>> = {}, who = session) =>
  server.call(
    'networks/look',
    { text: makeText(), nodes: ['stem', 'logits'], image: { from: 'sample' }, runId: null, ...change },
    who,
  )

describe('looking into a network', () => {
  it('serves a member in turn with others, sends away what is too much at once, and stays usable', async () => {
    const flood = Promise.all(Array.from({ length: 8 }, () => look()))
    const other = await look({}, await server.signUp())
    expect(other.code).toBe(10200)
    const replies = await flood
    const refused = replies.filter(({ code }) => code !== 10200)
    expect(new Set(refused.map(({ data }) => data.error))).toEqual(new Set(['too_much_at_once']))
    expect(refused.length).toBeGreaterThan(0)
    expect(replies.length - refused.length).toBeGreaterThan(limits.lookWaiting)
    expect((await look()).code).toBe(10200)
  })
})
