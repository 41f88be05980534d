import { expect, it } from 'vitest'
import { cleanName, nameColumns, numberedName } from './names.ts'

it.each([
  ['肺 炎.png', '肺 炎.png'],
  ['  spaced .png ', 'spaced .png'],
  ['cafe\u0301.png', 'caf\u00e9.png'],
  ['a/b', null],
  ['a\\b', null],
  ['..', null],
  ['', null],
  ['line\nbreak', null],
  ['nul\u0000', null],
  ['x'.repeat(201), null],
])('takes %j as %j', (given, expected) => {
  expect(cleanName(given)).toBe(expected)
})

it.each([
  ['scan.png', 'file', ['scan.png'], 'scan (2).png'],
  ['scan.png', 'file', ['scan.png', 'scan (2).png'], 'scan (3).png'],
  ['data.v1', 'folder', ['data.v1'], 'data.v1 (2)'],
  ['.hidden', 'file', ['.hidden'], '.hidden (2)'],
] as const)('numbers %s (%s) beside %j as %s', (name, kind, taken, expected) => {
  expect(numberedName({ name, kind }, (one) => taken.some((other) => other === one))).toBe(expected)
})

it('keeps a numbered name within the limit and never cuts a character in two', () => {
  const name = `${'😀'.repeat(98)}.png`
  const numbered = numberedName({ name, kind: 'file' }, () => false)
  expect(numbered.length).toBeLessThanOrEqual(200)
  expect(encodeURIComponent(numbered)).toContain('%20(2).png')
})

it('sorts numbers as people count', () => {
  const names = ['scan 10.png', 'Scan 9.png', 'scan 1.png']
  const sorted = names
    .map((name) => nameColumns(name, 'file'))
    .sort((a, b) => (a.sortName < b.sortName ? -1 : 1))
  expect(sorted.map(({ name }) => name)).toEqual(['scan 1.png', 'Scan 9.png', 'scan 10.png'])
})
