import { orderedFigures } from '@neuroloom/contract/evidence/figure-order'
import { expect, it } from 'vitest'

it('shows figures in one order, those that nobody foresaw last and by name', () => {
  expect(orderedFigures(['support', 'zeta', 'f1', 'recall', 'alpha', 'precision', 'rocAuc'])).toEqual([
    ...['precision', 'recall', 'f1', 'rocAuc', 'support', 'alpha', 'zeta'],
  ])
})
