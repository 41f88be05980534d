import { metricKind } from '@neuroloom/contract/metric'
import { expect, it } from 'vitest'

it('a threshold is written in percent wherever it stands', () => {
  expect(metricKind('threshold')).toBe('percent')
})
