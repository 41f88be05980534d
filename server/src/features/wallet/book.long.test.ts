import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { giveBack, record, request, sell } from '../../../test/wallet.ts'
import { runBooks } from '../../../test/wallet-books.ts'
import { balanceOf, findFaults } from '../ledger/service.ts'
import type { Sale } from '../payments/service.ts'

let server: TestServer
let chief: Session
let sellers: Session[]
beforeAll(async () => {
  server = await makeServer()
  chief = await server.signUp({ role: 2 })
  sellers = [await server.signUp(), await server.signUp(), await server.signUp()]
})
afterAll(() => server.close())

it('a million random sales, refunds, withdrawals and reviews conserve every fen', () => {
  expect(runBooks({ seed: 32, steps: 1_000_000 })).toEqual({ faults: [], kinds: 7 })
})

it('so do thousands in the database, many at once', async () => {
  const random = mulberry32(33)
  const draw = (most: number): number => Math.floor(random() * most)
  const held: Sale[] = []
  const waiting: string[] = []
  let soldFen = 0
  let returnedFen = 0
  const codes = new Set<number>()
  const take = <T>(all: T[]): T | undefined => all.splice(draw(all.length), 1)[0]
  async function step(): Promise<void> {
    const seller = sellers[draw(sellers.length)] ?? chief
    const amount = 1 + draw(100_000)
    const dice = draw(10)
    const sale = dice < 5 ? take(held) : undefined
    if (sale && dice < 4) return void (await record(server, sale))
    if (sale) {
      returnedFen += sale.amount
      return void (await giveBack(server, sale))
    }
    if (dice < 7) {
      soldFen += amount
      held.push(await sell(server, seller, amount))
      return
    }
    const withdrawalNo = dice === 7 ? take(waiting) : undefined
    if (withdrawalNo) {
      const decision =
        draw(2) === 0
          ? ({ is: 'passed', reference: 'x' } as const)
          : ({ is: 'refused', reason: 'x' } as const)
      codes.add((await server.call('office/withdrawal', { withdrawalNo, decision }, chief)).code)
      return
    }
    const { code, data } = await server.call('wallet/withdraw', request(amount), seller)
    codes.add(code)
    if (code === 10200) waiting.push(data.withdrawalNo)
  }
  for (let round = 0; round < 200; round += 1) await Promise.all(Array.from({ length: 16 }, step))
  expect(await findFaults(server.ctx.db)).toEqual([])
  // Done, too little money, or too many that wait: nothing else.
  expect([...codes].every((code) => [10200, 20191, 20194].includes(code))).toBe(true)
  const sum = async (kind: 'wallet' | 'held' | 'withdrawing'): Promise<number> => {
    const all = await Promise.all(
      sellers.map(({ userId: owner }) => balanceOf(server.ctx.db, { owner, kind, unit: 'fen' })),
    )
    return all.reduce((total, one) => total + one, 0)
  }
  const fees = await balanceOf(server.ctx.db, { owner: 'platform', kind: 'fees', unit: 'fen' })
  const outside = await balanceOf(server.ctx.db, { owner: 'alipay', kind: 'outside', unit: 'fen' })
  const back = await balanceOf(server.ctx.db, { owner: 'a buyer', kind: 'returning', unit: 'fen' })
  const inside = (await sum('wallet')) + (await sum('held')) + (await sum('withdrawing')) + fees
  expect(back).toBe(returnedFen)
  const paidOutFen = outside + soldFen
  expect(inside).toBe(soldFen - returnedFen - paidOutFen)
  expect(paidOutFen).toBeGreaterThan(0)
})
