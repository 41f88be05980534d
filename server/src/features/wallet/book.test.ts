import { expect, it } from 'vitest'
import { runBooks } from '../../../test/wallet-books.ts'

it('thousands of random sales, refunds, withdrawals and reviews conserve every fen', () => {
  expect(runBooks({ seed: 31, steps: 5_000 })).toEqual({ faults: [], kinds: 7 })
})
