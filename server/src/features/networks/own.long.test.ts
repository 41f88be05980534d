/** Large texts of networks that keep nobody else waiting. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'

let server: TestServer
let owner: Session

/** As many as a text of 52 KB holds. */
const layers = Array.from({ length: 1700 }, (_, index) => `  layer${index}: {op: conv, out: 4}`)

beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp()
})
afterAll(() => server.close())

describe('bad text', () => {
  it('keeps nobody else waiting while large ones are read', async () => {
    const keys = Array.from({ length: 80_000 }, (_, index) => `key${index}: 1`)
    const text = `a: {${keys.join(', ')}}`
    const slow = Array.from({ length: 4 }, () =>
      server.call('networks/create', { name: 'Slow', text }, owner),
    )
    const quick = server.call('networks/mine', {}, owner)
    const answered: unknown[] = []
    const all = slow.map(async (one) => answered.push((await one).data.error))
    await quick
    const before = answered.length
    await Promise.all(all)
    // Not before the first: that one may be read while a busy machine still finds out who asks. Never after them all.
    expect(before).toBeLessThan(slow.length)
    expect(answered).toEqual(slow.map(() => 'network_unreadable'))
  })

  const repeated = ['a', 'b', 'c', 'd'].map((name) => `  ${name}: {op: res_basic, repeat: 256, out: 4}`)

  it.each([
    ['of many layers', layers.join('\n')],
    ['of few words and many repetitions', repeated.join('\n')],
  ])('keeps nobody else waiting while one %s is looked into six times', async (_, drawn) => {
    const text = makeText({ from: 'nowhere' }).replace('  act: relu', drawn)
    const body = { text, nodes: ['stem'], image: { from: 'sample' as const }, runId: null }
    const slow = Array.from({ length: 6 }, () => server.call('networks/look', body, owner))
    const quick = server.call('networks/mine', {}, owner)
    const answered: unknown[] = []
    const all = slow.map(async (one) => answered.push((await one).data.error))
    await quick
    const lookedInto = answered.filter((error) => error === 'network_wrong').length
    await Promise.all(all)
    // Not before the first: that one may be done while a busy machine still finds out who asks. Never after them all.
    expect(lookedInto).toBeLessThan(answered.filter((error) => error === 'network_wrong').length)
    // One more than may wait; on a slow machine the last ones wait too long besides.
    expect(answered).toEqual(expect.arrayContaining(['network_wrong', 'too_much_at_once']))
    expect(['network_wrong', 'too_much_at_once', 'busy']).toEqual(expect.arrayContaining(answered))
  })
})
