import { classProblem, labelClassSchema } from '@neuroloom/contract/labelling/classes'
import { describe, expect, it } from 'vitest'

const one = (name: string, more: object = {}) =>
  labelClassSchema.parse({ id: name.replaceAll(/\W/g, '') || 'x', name, colour: '#009e73', ...more })

describe('the classes of a label set', () => {
  it.each([
    ['one alone', [one('Cyst')], 'too_few'],
    ['one and an area to ignore', [one('Cyst'), one('Blurred', { use: 'ignore' })], 'too_few'],
    ['names that differ in case alone', [one('Cyst'), one('CYST')], 'duplicate'],
    [
      'names that differ in composition alone',
      [one('é', { id: 'a' }), one('e\u0301', { id: 'b' })],
      'duplicate',
    ],
    ['names that differ in width alone', [one('Ａ1', { id: 'a' }), one('a1', { id: 'b' })], 'duplicate'],
    ['one key for two', [one('Cyst', { key: 1 }), one('Stone', { key: 1 })], 'key_twice'],
    [
      'a join to a point that is not there',
      [one('Hand', { skeleton: { points: ['Wrist', 'Tip'], joins: [[0, 2]] } }), one('Foot')],
      'join_unknown',
    ],
    [
      'two backgrounds',
      [one('Rest', { use: 'background' }), one('Air', { use: 'background' })],
      'background_twice',
    ],
  ])('are refused for %s', (_, classes, rule) => {
    expect(classProblem(classes)?.rule).toBe(rule)
  })

  it('are two, the background among them', () => {
    expect(classProblem([one('Background', { use: 'background' }), one('Cyst')])).toBeNull()
    expect(classProblem([one('Cyst', { key: 1 }), one('Stone', { key: 2 })])).toBeNull()
  })

  it('have names that are more than blanks', () => {
    expect(labelClassSchema.safeParse({ id: 'a', name: '  ', colour: '#009e73' }).success).toBe(false)
  })
})
