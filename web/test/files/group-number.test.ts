import { expect, it } from 'vitest'
import { spokenNumber } from '../../src/features/files/sharing/group-number.ts'

it.each([
  ['123456789', '123 456 789'],
  ['1234567', '123 456 7'],
  ['123456', '123 456'],
])('the number %s is read as %s', (number, spoken) => {
  expect(spokenNumber(number).replaceAll('\u00a0', ' ')).toBe(spoken)
})
