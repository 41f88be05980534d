import { expect, it } from 'vitest'
import { createTurns, NoTurn } from './turns.ts'

/** Works that end when they are told to, and the order in which they began. */
function makeWorks(limits: Partial<Parameters<typeof createTurns>[0]> = {}) {
  const turns = createTurns({ atOnce: 2, waiting: 3, waitMs: 60_000, ...limits })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }
  const ask = (name: string) => turns.inTurn(name[0] ?? '', work(name)).catch((error: unknown) => error)
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const endNext = async () => {
    await settled()
    ends.shift()?.()
    await settled()
  }
  return { begun, ask, endNext, settled }
}

it('one member is served one at a time, also where there is room for more', async () => {
  const { begun, ask, settled } = makeWorks()
  void ask('a1')
  void ask('a2')
  void ask('b1')
  await settled()
  expect(begun).toEqual(['a1', 'b1'])
})

it('whoever comes with one is served between those of a member who brought many', async () => {
  const { begun, ask, endNext } = makeWorks({ atOnce: 1 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void ask(name)
  for (let ended = 0; ended < 4; ended += 1) await endNext()
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

it('more than a member may have in line are sent away at once, those of others are not', async () => {
  const { begun, ask, endNext } = makeWorks({ waiting: 1 })
  void ask('a1')
  void ask('a2')
  expect(await ask('a3')).toMatchObject({ because: 'own' })
  void ask('b1')
  await endNext()
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})

it('whoever gets no turn in time is sent away, and takes no turn later', async () => {
  const { begun, ask, endNext, settled } = makeWorks({ atOnce: 1, waitMs: 5 })
  void ask('a1')
  const refused = await ask('b1')
  expect(refused).toBeInstanceOf(NoTurn)
  expect(refused).toMatchObject({ because: 'others' })
  await endNext()
  void ask('c1')
  await settled()
  expect(begun).toEqual(['a1', 'c1'])
})

it('a work that fails gives its turn back', async () => {
  const turns = createTurns({ atOnce: 1, waiting: 1, waitMs: 60_000 })
  await expect(turns.inTurn('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turns.inTurn('a', async () => 'well')).toBe('well')
})
