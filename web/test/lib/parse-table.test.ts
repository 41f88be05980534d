import { expect, test } from 'vitest'
import { parseTable } from '../../src/lib/parse-table.ts'

test('cells in quotes may hold separators, line breaks and quotes', () => {
  expect(parseTable('name,said\r\n"a, b","one\ntwo ""three"""\r\n')).toEqual([
    ['name', 'said'],
    ['a, b', 'one\ntwo "three"'],
  ])
})

test('the first line tells the separator', () => {
  expect(parseTable('\uFEFFa;b;c\n1,5;2;3')).toEqual([
    ['a', 'b', 'c'],
    ['1,5', '2', '3'],
  ])
  expect(parseTable('a\tb\n1\t')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ])
})

test('nothing is no rows', () => {
  expect(parseTable('')).toEqual([])
})
