import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeals } from './seals.ts'

const secret = randomBytes(32)
const seals = createSeals(secret, 'test')

test('a sealed text opens for its owner and reads differently each time', () => {
  const [one, other] = [seals.seal('E12345678', 'lin'), seals.seal('E12345678', 'lin')]
  expect(seals.open(one, 'lin')).toBe('E12345678')
  expect(one).not.toEqual(other)
  expect(one.includes('12345')).toBe(false)
})

test.each([
  ['for somebody else', (sealed: Buffer) => seals.open(sealed, 'wang')],
  ['for another purpose', (sealed: Buffer) => createSeals(secret, 'other').open(sealed, 'lin')],
  ['with another secret', (sealed: Buffer) => createSeals(randomBytes(32), 'test').open(sealed, 'lin')],
  ['cut short', (sealed: Buffer) => seals.open(sealed.subarray(0, 20), 'lin')],
  ['empty', () => seals.open(Buffer.alloc(0), 'lin')],
] as const)('it does not open %s', (_, open) => {
  expect(open(seals.seal('E12345678', 'lin'))).toBeNull()
})

test('it does not open with any byte changed', () => {
  const sealed = seals.seal('E12345678', 'lin')
  for (let place = 0; place < sealed.length; place++) {
    const changed = Buffer.from(sealed)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(seals.open(changed, 'lin'), `byte ${place}`).toBeNull()
  }
})
