import { readFileSync } from 'node:fs'
import { fixesFor } from '@neuroloom/contract/network/fix/fixes'
import { problemKey } from '@neuroloom/contract/network/resolve/problems'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { lineOf, patchYaml, pathAt } from '@neuroloom/contract/network/yaml/patch'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { describe, expect, test } from 'vitest'
import { quickest } from './quickest.ts'
import { library, makeDocument, makeNetwork } from './wire.ts'

const top = 'dripe: 1\nname: a\ntask: x\n'
const image = 'inputs: {image: {kind: image, channels: 3, size: [32, 32]}}\n'
const head = (from: string) => `heads: {main: {task: x, from: ${from}}}\n`
const network = (nodes: string, from = 't') => `${top}${image}nodes:\n${nodes}\n${head(from)}`
const many = (count: number, line: (k: number) => string) =>
  Array.from({ length: count }, (_, k) => line(k)).join('\n')

/** What somebody may type, paste or upload; the message; and the line where it is shown, null for the whole network. */
const texts: [string, string, string, number | null][] = [
  ['a tag', network('  t: !!js/function relu'), 'yaml_tag', 6],
  ['a tag on a map', network('  t: !!python/object:os.system {op: relu}'), 'yaml_tag', 6],
  ['an alias', network('  a: &a relu\n  t: *a'), 'yaml_alias', 6],
  [
    'an alias bomb',
    `${top}a0: &a0 [x, x]\n${many(40, (k) => `a${k + 1}: &a${k + 1} [*a${k}, *a${k}]`)}\n`,
    'yaml_alias',
    4,
  ],
  ['a merge key', network('  t: {op: relu, <<: {op: conv}}'), 'bad_id', 6],
  ['ten megabytes', `${top}#${'x'.repeat(10 * 1024 * 1024)}`, 'yaml_too_large', null],
  ['ten megabytes of nodes', network(many(400_000, (k) => `  n${k}: {op: relu}`)), 'yaml_too_large', null],
  ['a megabyte of brackets', `a: ${'['.repeat(1024 * 1024 - 100)}`, 'yaml_too_deep', 1],
  ['a megabyte of numbers', `${top}title: [${'1,'.repeat(500_000)}]`, 'too_many', 4],
  ['a megabyte in quotes', `${top}title: "${'[\\"'.repeat(250_000)}"`, 'too_many', 4],
  ['a megabyte of quotes', `${top}title: ${'" '.repeat(500_000)}`, 'too_many', 4],
  ['brackets that end', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'yaml_too_deep', 1],
  ['maps in maps', `a: ${'{b: '.repeat(20_000)}${'}'.repeat(20_000)}`, 'yaml_too_deep', 1],
  ['maps in maps by lines', many(1_000, (k) => `${' '.repeat(k)}a:`), 'yaml_too_deep', 401],
  ['closing brackets alone', '}'.repeat(50_000), 'yaml_syntax', 1],
  ['quotes that do not end', `${top}title: "${'a'.repeat(10_000)}`, 'yaml_syntax', 4],
  ['tabs', `${top}nodes:\n\ta: relu\n`, 'yaml_syntax', 5],
  ['a line of a megabyte', `${top}title: ${'a'.repeat(1_000_000)}`, 'too_many', 4],
  ['a key of a hundred thousand letters', network(`  ${'a'.repeat(100_000)}: relu`), 'yaml_syntax', 6],
  ['sixty thousand nodes', network(many(60_000, (k) => `  n${k}: a`)), 'too_many', 49994],
  ['zero bytes', `${top}title: "a\0b"\n${image}nodes: {t: "re\0lu"}`, 'wrong_value', 6],
  ['half of a letter', network('  "\ud800": relu'), 'bad_id', 6],
  ['letters that look alike', network('  ѕtem: relu'), 'bad_id', 6],
  ['__proto__ as a node', network('  __proto__: relu'), 'bad_id', 6],
  ['__proto__ as a parameter', network('  t: {op: conv, __proto__: 3}'), 'bad_id', 6],
  [
    '__proto__ as a block',
    `${top}${image}blocks: {__proto__: {nodes: {a: relu}}}\nnodes: {t: relu}`,
    'bad_id',
    5,
  ],
  ['constructor as an operation', network('  t: constructor'), 'unknown_op', 6],
  ['constructor as a source', network('  t: {op: relu, in: constructor}'), 'unknown_ref', 6],
  ['constructor as a parameter', network('  t: {op: conv, constructor: 3}'), 'unknown_param', 6],
  [
    'constructor in a formula',
    network('  t: {op: conv, out: =constructor}'),
    'bad_expression_unknown_name',
    6,
  ],
  [
    'a prototype in a formula',
    network('  t: {op: conv, out: "=in.__proto__"}'),
    'bad_expression_unknown_name',
    6,
  ],
  [
    'a call in a formula',
    network('  t: {op: conv, out: "=toString(1)"}'),
    'bad_expression_unknown_function',
    6,
  ],
  [
    'a formula without end',
    network(`  t: {op: conv, out: "=${'1+'.repeat(990)}1"}`),
    'bad_expression_too_long',
    6,
  ],
  ['a formula that is too long', network(`  t: {op: conv, out: "=${'1+'.repeat(9_900)}1"}`), 'too_many', 6],
  [
    'brackets in a formula',
    network(`  t: {op: conv, out: "=${'('.repeat(1_990)}"}`),
    'bad_expression_too_long',
    6,
  ],
  ['powers of powers', network('  t: {op: conv, out: =9^9^9^9}'), 'bad_expression_not_a_number', 6],
  ['a number without end', network('  t: {op: conv, out: 1e400}'), 'wrong_value', 6],
  ['no number', network('  t: {op: conv, out: .nan}'), 'wrong_value', 6],
  ['a negative number', network('  t: {op: conv, out: -5}'), 'param_range', 6],
  ['a huge number', network('  t: {op: conv, out: 99999999999999999999}'), 'param_range', 6],
  ['a huge repeat', network('  t: {op: relu, repeat: 1000000000}'), 'param_range', 6],
  ['a repeat that is a formula', network('  t: {op: relu, repeat: =2^40}'), 'param_range', 6],
  [
    'repeats of repeats',
    `${top}${image}blocks:\n  b0: {nodes: {n: {op: relu, off: true}}}\n${many(
      12,
      (k) => `  b${k + 1}: {nodes: {n: {op: b${k}, repeat: 256}}}`,
    )}\nnodes: {t: b12}\n${head('t')}`,
    'too_big',
    null,
  ],
  [
    'a block in itself',
    `${top}${image}blocks: {b: {nodes: {n: b}}}\nnodes: {t: b}\n${head('t')}`,
    'too_deep',
    5,
  ],
  [
    'two blocks in each other',
    `${top}${image}blocks: {b: {nodes: {n: c}}, c: {nodes: {n: b}}}\nnodes: {t: b}\n${head('t')}`,
    'too_deep',
    5,
  ],
  [
    'a picture of a billion pixels a side',
    `${top}inputs: {image: {kind: image, size: [1000000000, 2]}}\nnodes: {t: relu}\n${head('t')}`,
    'input_size',
    null,
  ],
  ['a layer beyond all devices', network('  t: {op: upsample, factor: 16, repeat: 9}'), 'too_large', 6],
  ['a loop', network('  a: {op: relu, in: t}\n  t: {op: relu, in: a}'), 'cycle', 6],
  [
    'a loop of a thousand',
    network(`  n0: {op: relu, in: n999}\n${many(999, (k) => `  n${k + 1}: relu`)}`, 'n9'),
    'cycle',
    6,
  ],
  [
    'weights shared in a circle',
    network('  a: {op: conv, in: image, share: t}\n  t: {op: conv, in: image, share: a}'),
    'cycle',
    6,
  ],
  ['unlike shapes', network('  a: conv\n  t: {op: add, in: [image, a]}'), 'shapes_differ', 7],
  ['a list where a map belongs', `${top}${image}nodes: [relu]\n`, 'wrong_value', 5],
  ['an unknown layer', network('  t: rleu'), 'unknown_op_near', 6],
  [
    'a thousand unknown layers',
    network(
      many(1_000, (k) => `  n${k}: {op: layer_number_${k}, in: image}`),
      'n1',
    ),
    'unknown_op',
    6,
  ],
  ['an unknown setting', network('  t: {op: conv, kernal: 3}'), 'unknown_param_near', 6],
  ['a setting out of range', network('  t: {op: conv, stride: 400}'), 'param_range', 6],
  ['a head that reads itself', network('  t: relu', 'main'), 'unknown_ref', 7],
  ['nothing', '', 'wrong_value', 1],
  ['a picture file', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'wrong_value', 1],
  ['a web page', '<!doctype html><html><body>{{x}}</body></html>', 'wrong_value', 1],
]

const locales = ['en', 'zh', 'ru'].map((language): Record<string, string> => {
  const url = new URL(`../../locales/${language}/networks.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')).graphError
})

const good = makeNetwork({ nodes: { t: 'relu' }, heads: { main: { task: 'x', from: 't' } } })

/** The largest honest network sets the measure, so that a slow machine makes no difference. */
const honest = network(
  many(1_000, (k) => `  n${k}: {op: conv, out: 8, in: image}`),
  'n1',
)
const mostMs = 2 * quickest(() => resolve(makeDocument(honest), library))

describe('a hostile text gives one located message in every language, at once, and nothing throws', () => {
  test.each(texts.map(([name, ...rest]) => ({ name, rest })))('$name', ({ rest: [text, key, line] }) => {
    const look = () => {
      const { document, problems } = readYaml(text)
      if (document === null) return problems.map((problem) => ({ ...problem, at: problem.line }))
      const { errors } = resolve(document, library)
      return errors.map((error) => ({ ...error, at: lineOf(text, error.node)?.line ?? null }))
    }
    const [first] = look()
    expect(first === undefined ? null : problemKey(first)).toBe(key)
    expect(first?.at).toBe(line)
    for (const messages of locales) expect(messages[key]).toMatch(/\S{2}/)
    expect(quickest(look, mostMs)).toBeLessThan(mostMs)
  })

  test('and the editor goes on with what it has', () => {
    for (const [, text] of texts) {
      const { document } = readYaml(text)
      const patched = patchYaml(text, document ?? good, library)
      expect(readYaml(patched).document).not.toBeNull()
      for (const offset of [0, text.length >> 1, text.length]) pathAt(text, offset)
      if (document === null) continue
      const [error] = resolve(document, library).errors
      if (error !== undefined) expect(fixesFor(error, document, library).length).toBeLessThanOrEqual(4)
    }
  })
})
