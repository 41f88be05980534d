import { canonicalDocument, modelHash } from '@neuroloom/contract/network/document/canonical'
import { readDocument } from '@neuroloom/contract/network/document/document'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { describe, expect, test } from 'vitest'
import { exampleIds, exampleText, library, makeDocument, makeNetwork } from './wire.ts'

const head = 'dripe: 1\nname: a\ntask: b\ninputs: {image: {kind: image, channels: 3, size: [8, 8]}}\n'
const all = exampleIds.map((id) => [id, makeDocument(exampleText(id))] as const)

describe('writing', () => {
  test.each(all)('%s survives canonical form, YAML and back', (_, document) => {
    const canonical = canonicalDocument(document, library)
    const written = writeYaml(document, library)
    const { document: again, problems } = readYaml(written)
    expect(problems).toEqual([])
    if (again === null) throw new Error('not read')
    expect(canonicalDocument(again, library)).toEqual(canonical)
    expect(JSON.stringify(canonicalDocument(again, library))).toBe(JSON.stringify(canonical))
    expect(writeYaml(again, library)).toBe(written)
    expect(resolve(again, library).plan).toEqual(resolve(document, library).plan)
    expect(canonicalDocument(readDocument(canonical).document ?? document, library)).toEqual(canonical)
  })

  test('is short: one node a line, inputs only where they are not the line before', () => {
    const document = makeNetwork({
      nodes: {
        a: { op: 'conv', in: ['image'], out: 8, kernel: 3, bias: true },
        b: { op: 'relu', in: 'a', note: 'why' },
        c: { op: 'add', in: ['a', 'b'], off: false },
      },
    })
    expect(writeYaml(document, library).split('\n').slice(3)).toEqual([
      'inputs:',
      '  image: {kind: image, channels: 3, size: [32, 32]}',
      'nodes:',
      '  a: {op: conv, out: 8}',
      '  b: {op: relu, note: why}',
      '  c: {op: add, in: [a, b]}',
      '',
    ])
  })

  test('keeps names that YAML would read as something else', () => {
    const document = makeNetwork({
      nodes: { null: 'relu', true: 'relu', constructor: { op: 'relu', in: 'null' } },
    })
    const again = makeDocument(writeYaml(document, library))
    expect([...again.nodes.keys()]).toEqual(['null', 'true', 'constructor'])
  })
})

describe('the hash of a model', () => {
  const base = { nodes: { a: { op: 'conv', out: 8 }, b: 'relu' } }
  const hash = (parts: Record<string, unknown>) => modelHash(makeNetwork(parts), library)

  test('is the same for the same model however it is written', () => {
    const written = {
      nodes: { a: { op: 'conv', in: 'image', kernel: 3, out: 8 }, b: { op: 'relu', in: ['a'] } },
    }
    expect(hash(written)).toBe(hash(base))
    expect(hash({ ...base, name: 'other', about: 'text', task: 'x', license: 'y' })).toBe(hash(base))
    expect(hash({ nodes: { a: { op: 'conv', out: 8, note: 'text' }, b: 'relu' } })).toBe(hash(base))
    expect(hash(base)).toMatch(/^[0-9a-f]{64}$/)
  })

  test('differs when the model differs', () => {
    expect(hash({ nodes: { a: { op: 'conv', out: 9 }, b: 'relu' } })).not.toBe(hash(base))
    expect(hash({ nodes: { c: { op: 'conv', out: 8 }, b: 'relu' } })).not.toBe(hash(base))
    expect(hash({ ...base, heads: { main: { task: 'x', from: 'b' } } })).not.toBe(hash(base))
  })
})

describe('reading', () => {
  const bomb = `${head}nodes:\n  a: &a {op: relu}\n${Array.from({ length: 30 }, (_, k) => `  b${k}: [*a, *a]`).join('\n')}`
  test.each([
    ['an alias bomb', bomb, { code: 'yaml_alias', line: 6 }],
    ['an anchor alone', `${head}nodes: {a: &here relu}`, { code: 'yaml_alias', line: 5 }],
    ['a tag', `${head}nodes:\n  a: !!js/function relu`, { code: 'yaml_tag', line: 6 }],
    ['an own tag', `${head}nodes: !x {}`, { code: 'yaml_tag', line: 5 }],
    ['broken brackets', `${head}nodes:\n  a: {op: relu`, { code: 'yaml_syntax' }],
    ['a key twice', `${head}nodes:\n  a: relu\n  a: relu`, { code: 'key_twice', line: 7, column: 3 }],
    ['two documents', `${head}nodes: {}\n---\n`, { code: 'yaml_syntax' }],
    ['nothing', '', { code: 'wrong_value' }],
    ['a list', '- 1', { code: 'wrong_value' }],
    ['too much', `# ${'x'.repeat(1024 * 1024)}`, { code: 'yaml_too_large' }],
    ['too much in bytes', `# ${'图'.repeat(400_000)}`, { code: 'yaml_too_large' }],
    ['a newer version', 'dripe: 2', { code: 'newer_version', data: { version: 2 } }],
    [
      'a missing name',
      'dripe: 1\ntask: x\ninputs: {}\nnodes: {}',
      { code: 'missing_key', data: { name: 'name' } },
    ],
    ['a key too many', `${head}nodes: {}\nnods: {}`, { code: 'unknown_key', data: { name: 'nods' } }],
    [
      'a wrong value deep inside',
      `${head}nodes:\n  a: relu\n  b: {op: conv, repeat: {}}`,
      {
        code: 'wrong_value',
        path: 'nodes.b.repeat',
        line: 7,
        column: 17,
      },
    ],
    [
      'a node without op',
      `${head}nodes:\n  a: {out: 3}`,
      { code: 'missing_key', path: 'nodes.a.op', line: 6 },
    ],
    ['an id with capitals', `${head}nodes:\n  Stem: relu`, { code: 'bad_id', line: 6, column: 3 }],
    [
      '__proto__ as a node',
      `${head}nodes:\n  __proto__: relu`,
      { code: 'bad_id', data: { name: '__proto__' } },
    ],
    ['__proto__ as a parameter', `${head}nodes:\n  a: {op: conv, __proto__: 3}`, { code: 'bad_id' }],
    ['__proto__ at the top', `${head}nodes: {}\n__proto__: {x: 1}`, { code: 'unknown_key' }],
    ['a parameter called in', `${head}params: {in: 3}\nnodes: {}`, { code: 'reserved_name' }],
    ['a node named as an input', `${head}nodes: {image: relu}`, { code: 'name_taken', path: 'nodes.image' }],
    ['a number as op', `${head}nodes: {a: {op: 3}}`, { code: 'wrong_value', path: 'nodes.a.op' }],
    [
      'too many inputs',
      `${head}nodes: {a: {op: concat, in: [${'image, '.repeat(65)}]}}`,
      { code: 'too_many' },
    ],
  ])('refuses %s', (_, text, problem) => {
    const { document, problems } = readYaml(text)
    expect(document).toBeNull()
    expect(problems[0]).toMatchObject(problem)
  })

  test('refuses deep nesting without falling over', () => {
    expect(readYaml(`a: ${'['.repeat(100_000)}`).document).toBeNull()
    expect(readYaml(`a: ${'{b: '.repeat(20_000)}${'}'.repeat(20_000)}`).document).toBeNull()
  })

  test('takes no longer than the text is long', () => {
    const keys = Array.from({ length: 60_000 }, (_, k) => `a${k}: 1`).join('\n')
    expect(readYaml(keys).document).toBeNull()
    expect(readYaml('}'.repeat(50_000)).document).toBeNull()
    expect(readYaml(`${head}nodes:\n${keys.replaceAll('a', '  A')}`).problems.length).toBeLessThanOrEqual(50)
  })

  test('reports every mistake, each at its place', () => {
    const { problems } = readYaml(`${head}nodes:\n  A: relu\n  b: {op: conv, off: 3}\n  c: {op: '?'}`)
    expect(problems.map(({ path, line }) => [path, line])).toEqual([
      ['nodes.A', 6],
      ['nodes.b.off', 7],
      ['nodes.c.op', 8],
    ])
  })

  test('reads YAML 1.2: no is a word, 010 is ten, 1e-3 is a number', () => {
    const { nodes } = makeDocument(`${head}nodes: {a: {op: x, p: no, q: 010, r: 1e-3, s: 1_000, t: on}}`)
    expect(Object.fromEntries(nodes.get('a')?.params ?? [])).toEqual({
      p: 'no',
      q: 10,
      r: 0.001,
      s: '1_000',
      t: 'on',
    })
  })

  test('takes constructor as an ordinary name', () => {
    const document = makeDocument(
      `${head}params: {constructor: 4}\nnodes: {constructor: {op: conv, out: =constructor}, b: {op: relu, in: constructor}}\nheads: {main: {task: x, from: b}}`,
    )
    const { plan } = resolve(document, library)
    expect(plan?.nodes.map(({ id, type }) => [id, type.c])).toEqual([
      ['constructor', 4],
      ['b', 4],
    ])
    expect(modelHash(document, library)).toHaveLength(64)
  })
})
