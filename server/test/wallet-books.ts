/** Random histories of wallets, kept in books that are no database: what each entry moves is the product's own. */
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import type { Posting } from '../src/features/ledger/service.ts'
import { paid, recorded, refunded, type Sale, shareOf } from '../src/features/payments/sales/book.ts'
import * as wallet from '../src/features/wallet/book.ts'

const sizes = [99, 9_999, 999_999, 1_000_000_000]
const sellers = ['a', 'b', 'c']
/** What a refused withdrawal would have been is as if it had not been asked for; the books must say so. */
type Expected = { wallet: number; held: number; withdrawing: number }

/** What is wrong, by its first step; and how many kinds of steps there were. */
export function runBooks({ seed, steps }: { seed: number; steps: number }) {
  const random = mulberry32(seed)
  const draw = (most: number): number => Math.floor(random() * most)
  const take = <T>(all: T[]): T | undefined => {
    const index = draw(all.length)
    const one = all[index]
    const last = all.pop()
    if (last !== undefined && index < all.length) all[index] = last
    return one
  }
  const balances = new Map<string, number>()
  const expected = new Map(
    sellers.map((name): [string, Expected] => [name, { wallet: 0, held: 0, withdrawing: 0 }]),
  )
  const held: Sale[] = []
  const waiting: wallet.WithdrawalEntry[] = []
  const faults: string[] = []
  const kinds = new Set<string>()
  let paidFen = 0
  let returnedFen = 0
  let sentFen = 0
  let feesFen = 0

  function write(kind: string, postings: readonly Posting[]): void {
    kinds.add(kind)
    for (const unit of ['fen', 'point'] as const) {
      const sum = postings.reduce((total, one) => total + (one.unit === unit ? one.amount : 0), 0)
      if (sum !== 0) faults.push(`${kind} does not sum to zero`)
    }
    for (const { owner, kind: account, unit, amount } of postings) {
      const key = `${owner} ${account} ${unit}`
      const balance = (balances.get(key) ?? 0) + amount
      if (!Number.isSafeInteger(balance)) faults.push(`${key} is ${balance}`)
      if (balance < 0 && ['wallet', 'held', 'withdrawing'].includes(account))
        faults.push(`${key} is below zero`)
      balances.set(key, balance)
    }
  }
  const of = (name: string): Expected => expected.get(name) ?? { wallet: 0, held: 0, withdrawing: 0 }

  function endSale(isBack: boolean): void {
    const sale = take(held)
    if (!sale) return
    const mine = of(sale.sellerId)
    mine.held -= shareOf(sale.amount)
    if (isBack) {
      returnedFen += sale.amount
      feesFen -= sale.amount - shareOf(sale.amount)
    } else mine.wallet += shareOf(sale.amount)
    write(isBack ? 'given back' : 'recorded', isBack ? refunded(sale) : recorded(sale))
  }

  function sell(sellerId: string, step: number): void {
    const amount = 1 + draw(sizes[step % sizes.length] ?? 99)
    const sale: Sale = {
      ...{ orderNo: String(step), buyerId: 'buyer', sellerId, unit: 'fen', amount },
      note: { model: '', listingId: '' },
    }
    held.push(sale)
    paidFen += amount
    feesFen += amount - shareOf(amount)
    of(sellerId).held += shareOf(amount)
    write('sold', paid(sale, 'wechat'))
  }

  function withdraw(userId: string, step: number): void {
    const mine = of(userId)
    // All of it, to the last fen, as often as a part.
    const amountFen = draw(3) === 0 ? mine.wallet : 1 + draw(1_000_000)
    if (amountFen === 0 || amountFen > mine.wallet) return void kinds.add('too much')
    const method = (['alipay', 'wechat', 'bank'] as const)[draw(3)] ?? 'bank'
    const withdrawal = { withdrawalNo: String(step), userId, amountFen, method }
    waiting.push(withdrawal)
    mine.wallet -= amountFen
    mine.withdrawing += amountFen
    write('asked', wallet.requestPostings(withdrawal))
  }

  function review(isPassed: boolean): void {
    const withdrawal = take(waiting)
    if (!withdrawal) return
    const mine = of(withdrawal.userId)
    mine.withdrawing -= withdrawal.amountFen
    if (isPassed) sentFen += withdrawal.amountFen
    else mine.wallet += withdrawal.amountFen
    write(
      isPassed ? 'sent' : 'refused',
      (isPassed ? wallet.payoutPostings : wallet.returnPostings)(withdrawal),
    )
  }

  const at = (owner: string, account: string): number => balances.get(`${owner} ${account} fen`) ?? 0
  function check(): void {
    for (const name of sellers)
      for (const account of ['wallet', 'held', 'withdrawing'] as const)
        if (at(name, account) !== of(name)[account]) faults.push(`${account} of ${name}`)
    const outside = ['alipay', 'wechat', 'transfer'].reduce((sum, owner) => sum + at(owner, 'outside'), 0)
    if (outside !== sentFen - paidFen) faults.push('outside')
    if (at('platform', 'fees') !== feesFen) faults.push('fees')
    if (at('buyer', 'returning') !== returnedFen) faults.push('returning')
  }

  for (let step = 0; step < steps && faults.length === 0; step += 1) {
    const name = sellers[draw(sellers.length)] ?? 'a'
    const dice = draw(20)
    if (dice < 6) sell(name, step)
    else if (dice < 10) endSale(false)
    else if (dice < 11) endSale(true)
    else if (dice < 16) withdraw(name, step)
    else review(dice < 18)
    check()
  }
  return { faults, kinds: kinds.size }
}
