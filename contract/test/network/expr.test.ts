import { evaluate, mapScope, type Value } from '@neuroloom/contract/network/resolve/expr'
import { ExpressionError } from '@neuroloom/contract/network/resolve/expr-parse'
import { describe, expect, test } from 'vitest'

const scope = mapScope(
  new Map<string, Value>([
    ['width', 16],
    ['ceil', 2],
    ['add', true],
    ['rates', [6, 12, 18]],
    ['mode', 'zeros'],
    ['x', { k: 'map', c: 8, s: [10, 20] }],
    ['seq', { k: 'seq', n: 5, c: 3 }],
  ]),
)

function problemOf(text: string): ExpressionError {
  try {
    evaluate(text, scope)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`${text} has a value`)
}

describe('expressions', () => {
  test.each<[string, Value]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-2 ^ 2', -4],
    ['2 ^ 3 ^ 2', 512],
    ['7 // 2', 3],
    ['-7 // 2', -4],
    ['-7 % 3', 2],
    ['1e-3 * 1000', 1],
    ['.5 + 1.', 1.5],
    ['width//2', 8],
    ['width==16 ? 1 : 2', 1],
    ['1 ? 2 ? 3 : 4 : 5', 3],
    ['!add || width > 3', true],
    ['add && width < 3', false],
    ["mode != 'zeros'", false],
    ['mode == "zeros"', true],
    ['x.c + x.s[1]', 28],
    ['seq.n * seq.c', 15],
    ['x.n', 0],
    ['rates[2]', 18],
    ['prod(x.s) + sum(1, 2, rates) + len(rates)', 242],
    ['max(3, width, 4) - min(rates)', 10],
    ['floor(2.7) + round(2.5) + log2(8)', 8],
    ['div8(33) + div8(3)', 40],
    ['x.s + 2 * rates[0]', [22, 32]],
    ['[1, width]', [1, 16]],
  ])('works out %s', (text, value) => expect(evaluate(text, scope)).toEqual(value))

  test('lets a parameter have the name of a function', () => {
    expect(evaluate('ceil ? ceil(1.2) : 0', scope)).toBe(2)
  })

  test.each<[string, string, number]>([
    ['', 'syntax', 0],
    ['1 +', 'syntax', 3],
    ['2 $ 3', 'syntax', 1],
    ['(1, 2)', 'syntax', 2],
    ['1 2', 'syntax', 2],
    ['x.', 'syntax', 2],
    ['heigth + 1', 'unknown_name', 0],
    ['1 + constructor', 'unknown_name', 4],
    ['__proto__', 'unknown_name', 0],
    ['x.constructor', 'unknown_name', 1],
    ['rates.length', 'unknown_name', 5],
    ['eval(1)', 'unknown_function', 0],
    ['toString()', 'unknown_function', 0],
    ['floor()', 'arguments', 0],
    ['min()', 'arguments', 0],
    ['x + 1', 'not_a_number', 2],
    ['mode * 2', 'not_a_number', 5],
    ['9 ^ 9999', 'not_a_number', 2],
    ['(0-8) ^ 0.5', 'not_a_number', 6],
    ['width / (width - 16)', 'divide_by_zero', 6],
    ['rates[3]', 'index', 5],
    ['rates[0.5]', 'index', 5],
    ['x[0]', 'index', 1],
  ])('refuses %s', (text, problem, at) => {
    expect(problemOf(text)).toMatchObject({ problem, at })
  })

  test('proposes the name that was probably meant', () => {
    expect(problemOf('2 * widht').nearest).toBe('width')
    expect(problemOf('flor(2)').nearest).toBe('floor')
    expect(problemOf('something_else').nearest).toBeNull()
  })

  test('refuses texts that are built to exhaust it', () => {
    expect(problemOf('1+'.repeat(400)).problem).toBe('too_long')
    expect(problemOf(`${'('.repeat(200)}1${')'.repeat(200)}`).problem).toBe('too_long')
    expect(problemOf('-'.repeat(300)).problem).toBe('too_long')
  })
})
