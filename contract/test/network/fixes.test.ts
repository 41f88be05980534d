import { readFileSync } from 'node:fs'
import { type Document, readDocument } from '@neuroloom/contract/network/document/document'
import { type Fix, fixesFor } from '@neuroloom/contract/network/fix/fixes'
import type { FixKind } from '@neuroloom/contract/network/fix/kinds'
import type { Problem } from '@neuroloom/contract/network/resolve/problems'
import { type ResolveOptions, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { patchYaml } from '@neuroloom/contract/network/yaml/patch'
import { describe, expect, test } from 'vitest'
import { cases } from './error-cases.ts'
import { quickest } from './quickest.ts'
import { makeRandom, makeRandomDocument } from './random.ts'
import { exampleIds, exampleText, library, makeDocument, makeNetwork } from './wire.ts'

type Offer = [FixKind, Fix['data']?]

/** First and others in any order: what has to be offered for a case of the same name, in the order of the cases. */
const offers: Record<string, Offer[]> = {
  wrong_kind_vec: [
    ['insert_globalavg', { count: 3 }],
    ['insert_flatten', { count: 3072 }],
  ],
  wrong_kind_map: [['insert_to_map', { shape: '2×2×2' }]],
  wrong_kind_seq: [['insert_to_tokens', { count: 1024 }]],
  input_missing: [
    ['connect', { source: 'image' }],
    ['remove_layer', { node: 't' }],
  ],
  input_count: [['remove_layer', { node: 't' }]],
  shapes_differ: [
    ['insert_conv', { channels: 8 }],
    ['use_concat', { node: 't' }],
  ],
  sizes_differ: [
    ['insert_resize_like', { size: '32×32' }],
    ['insert_crop_like', { size: '16×16' }],
  ],
  channels_differ: [['insert_linear', { channels: 4 }]],
  numel_differs: [['set_param', { param: 'channels', value: 2 }]],
  too_small: [
    ['remove_layer', { node: 't' }],
    ['set_input_size', { size: '64×64' }],
  ],
  size_multiple: [
    ['insert_pad', { amount: '1, 0' }],
    ['insert_resize', { size: '32×28' }],
  ],
  groups_divide: [['set_param', { param: 'groups', value: 1 }]],
  groups_divide_out: [
    ['set_param', { param: 'out', value: 66 }],
    ['set_param', { param: 'out', value: 63 }],
  ],
  heads_divide: [
    ['set_param', { param: 'heads', value: 2 }],
    ['set_param', { param: 'heads', value: 4 }],
  ],
  shuffle_divide: [['insert_conv', { channels: 4 }]],
  pad_half: [['set_param', { param: 'pad', value: 1 }]],
  outpad_range: [['set_param', { param: 'outpad', value: 1 }]],
  reflect_big: [['set_param', { param: 'amount', value: 31 }]],
  shift_range: [['set_param', { param: 'shift', value: 3 }]],
  slice_range: [['set_param', { param: 'to', value: 3 }]],
  token_range: [['set_param', { param: 'index', value: 0 }]],
  clamp_range: [['swap_bounds', { min: 1, max: 2 }]],
  crop_bigger: [['use_resize_like'], ['swap_inputs']],
  inorm_one: [['remove_layer'], ['use_group_norm', { groups: 1 }]],
  per_channel_len: [['set_param', { param: 'mean', value: '0' }]],
  rank_unsupported: [['use_token_attention']],
  cubic_2d: [['set_param', { param: 'mode', value: 'linear' }]],
  rank_differs: [['remove_layer']],
  axis_count: [
    ['set_param', { param: 'kernel', value: '3, 3' }],
    ['set_param', { param: 'kernel', value: 3 }],
  ],
  param_range: [
    ['set_param', { param: 'stride', value: 16 }],
    ['reset_param', { param: 'stride' }],
  ],
  param_type_number: [['reset_param', { param: 'out' }]],
  param_type_int: [['set_param', { param: 'out', value: 3 }]],
  param_type_bool: [['set_param', { param: 'bias', value: 'true' }]],
  param_type_list: [['set_param', { param: 'mean', value: '1' }]],
  param_type_choice: [['reset_param', { param: 'mode' }]],
  unknown_param: [['remove_param', { param: 'something' }]],
  unknown_param_near: [['rename_param', { param: 'kernal', nearest: 'kernel' }], ['remove_param']],
  bad_expression_near: [['replace_word', { symbol: 'widht', nearest: 'width' }], ['reset_param']],
  unknown_op: [['remove_layer']],
  unknown_op_near: [['use_op', { op: 'conv_bn_relu' }]],
  unknown_ref: [['connect', { source: 'image' }]],
  unknown_ref_near: [['connect', { source: 'image' }]],
  unknown_port: [['connect', { source: 'a' }]],
  unknown_port_near: [['connect', { source: 'image' }]],
  share_differs: [['own_weights', { node: 't' }]],
  cycle: [['connect', { source: 'image' }]],
  too_deep: [['remove_layer', { node: 'n' }]],
  too_big: [
    ['set_repeat', { node: 'n', value: 128 }],
    ['set_repeat', { node: 't', value: 10 }],
  ],
  too_large: [['set_repeat', { node: 't', value: 3 }]],
  head_missing: [['add_head', { source: 't' }]],
  head_classes: [
    ['follow_classes', { node: 'l', param: 'out', classes: 4 }],
    ['add_output_layer', { classes: 4 }],
  ],
  head_size: [['resize_result', { size: '32×32' }]],
  data_channels: [
    ['set_input_channels', { input: 'image', channels: 1 }],
    ['repeat_grey', { channels: 3 }],
  ],
  data_rank: [['set_input_kind', { rank: 3, size: '8×8×8' }]],
  input_size: [['set_input_channels', { input: 'image', channels: 3 }]],
}

/** What is given beside the document cannot be repaired in it. */
const outside = new Set(['param_range_least', 'param_range_most', 'param_type_text'])

function caseOf([, parts, , options]: (typeof cases)[number]): {
  document: Document
  options: ResolveOptions
} {
  const heads = { main: { task: 'x', from: Object.keys(parts.nodes ?? {}).at(-1) ?? 'image' } }
  return { document: makeNetwork({ heads, ...parts }), options: { ...library, ...options } }
}

const texts = ['en', 'zh', 'ru'].map((language): Record<string, string> => {
  const url = new URL(`../../locales/${language}/networks.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')).fix
})

function checkFixes(problem: Problem<string>, document: Document, options: ResolveOptions): Fix[] {
  const before = resolve(document, options)
  const found = [...before.errors, ...before.warnings].find(
    (one) => one.code === problem.code && one.node === problem.node,
  )
  const fixes = found === undefined ? [] : fixesFor(found, document, options)
  expect(fixes.length).toBeLessThanOrEqual(4)
  expect(new Set(fixes.map(({ kind, data }) => JSON.stringify([kind, data]))).size).toBe(fixes.length)
  for (const { kind, data: shown, document: patched, parameters } of fixes) {
    const after = resolve(patched, options)
    const placeOf = ({ code, node, port }: Problem<string>) => `${code} ${node} ${port}`
    expect([...after.errors, ...after.warnings].map(placeOf)).not.toContain(placeOf(problem))
    for (const { code, node, data } of after.errors) {
      const waited = [...before.waiting, problem.node].some((path) => `${node}/`.startsWith(`${path}/`))
      const known = before.errors.some(
        (error) =>
          error.code === code && (error.node === node || JSON.stringify(error.data) === JSON.stringify(data)),
      )
      expect(known || waited || node.startsWith('heads.'), `${kind}: ${code} at ${node}`).toBe(true)
    }
    if (after.plan !== null && before.plan !== null) {
      expect(parameters).toBe(after.plan.learn - before.plan.learn)
    } else if (after.plan === null) expect(parameters).toBeNull()
    // It is a document that can be written and read.
    expect(resolve(makeDocument(patchYaml('', patched, library)), options).errors).toEqual(after.errors)
    for (const text of texts) {
      const names = [...(text[kind] ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
      expect(Object.keys(shown), kind).toEqual(expect.arrayContaining(names))
    }
  }
  return fixes
}

describe('every message has a repair that works', () => {
  const seen = new Set<string>()
  test.each(cases)('%s: %o', (...made) => {
    const [key] = made
    const { document, options } = caseOf(made)
    const [error] = resolve(document, options).errors
    if (error === undefined) throw new Error('no error')
    const fixes = checkFixes(error, document, options)
    const isOutside = outside.has(key) || (error.code === 'unknown_param' && error.node === '')
    expect(fixes.length > 0).toBe(!isOutside)
    if (seen.has(key) || (key === 'input_missing' && fixes.length < 2)) return
    seen.add(key)
    const expected = offers[key] ?? []
    const [first, ...others] = expected
    if (first !== undefined) expect(fixes[0]).toMatchObject(offer(first))
    for (const other of others) expect(fixes).toContainEqual(expect.objectContaining(offer(other)))
  })
})

const offer = ([kind, data]: Offer) => (data === undefined ? { kind } : { kind, data })

describe('repairs stand where the mistake is made', () => {
  const heads = { main: { task: 'x', from: 't' } }
  const fixesOf = (parts: Record<string, unknown>, options: Partial<ResolveOptions> = {}) => {
    const document = makeNetwork({ heads, ...parts })
    const all = { ...library, ...options }
    const { errors, warnings } = resolve(document, all)
    const [problem] = [...errors, ...warnings]
    if (problem === undefined) throw new Error('no problem')
    return checkFixes(problem, document, all)
  }
  const shown = (fixes: Fix[]) => fixes.map(({ kind, data }) => [kind, data])

  test('in the local block', () => {
    const blocks = { b: { nodes: { n: { op: 'gn', groups: 2 } } } }
    const [fix] = fixesOf({ blocks, nodes: { t: 'b' } })
    expect(fix).toMatchObject({ kind: 'set_param', data: { param: 'groups', value: 1 } })
    expect(fix?.document.blocks.get('b')?.nodes.get('n')?.params.get('groups')).toBe(1)
  })

  test('at the use of a block whose setting it is', () => {
    const blocks = { b: { params: { parts: 2 }, nodes: { n: { op: 'gn', groups: '=parts' } } } }
    const [fix] = fixesOf({ blocks, nodes: { t: { op: 'b', parts: 4 } } })
    expect(fix).toMatchObject({ kind: 'set_param_of', data: { node: 't', param: 'parts', value: 3 } })
    expect(fix?.document.nodes.get('t')?.params.get('parts')).toBe(3)
    expect(fix?.document.blocks.get('b')?.nodes.get('n')?.params.get('groups')).toBe('=parts')
  })

  test('at the use of a library block', () => {
    const fixes = fixesOf({ nodes: { t: { op: 'conv_bn_relu', groups: 2 } } })
    expect(shown(fixes)[0]).toEqual(['set_param_of', { node: 't', param: 'groups', value: 1 }])
    const kinds = fixesOf({ inputs: { image: { kind: 'vec', channels: 8 } }, nodes: { t: 'conv_bn_relu' } })
    expect(shown(kinds)[0]).toEqual(['insert_to_map', { shape: '2×2×2' }])
  })

  test('at a parameter of the whole network', () => {
    const params = { width: 30 }
    const nodes = { a: { op: 'conv', out: '=width' }, t: { op: 'gn', groups: 4 } }
    expect(shown(fixesOf({ params, nodes }))).toEqual([
      ['set_param', { param: 'groups', value: 3 }],
      ['set_param', { param: 'groups', value: 5 }],
      ['set_param_of', { node: 'a', param: 'out', value: 32 }],
      ['insert_conv', { channels: 32 }],
    ])
    const classes = fixesOf(
      {
        params: { classes: 10 },
        nodes: { g: 'globalavg', t: { op: 'linear', out: '=classes' } },
        heads: { main: { task: 'classification', from: 't' } },
      },
      { data: { classes: 4 } },
    )
    expect(classes[0]).toMatchObject({
      kind: 'set_knob',
      data: { param: 'classes', value: 4 },
      parameters: -24,
    })
    const wide = fixesOf({ params: { width: { default: 2, min: 4 } }, nodes: { t: 'relu' } })
    expect(shown(wide)[0]).toEqual(['set_knob', { param: 'width', value: 4 }])
  })

  describe('with known classes no result of another number is offered', () => {
    const classification = { main: { task: 'classification', from: 't' } }
    const wide = { nodes: { t: { op: 'conv', out: 128 } }, heads: classification }
    const three = { classes: { default: 3, role: 'classes' } }
    const outOf = (fix: Fix | undefined) =>
      [...(fix?.document.nodes.values() ?? [])].find(({ op }) => op === 'linear')?.params.get('out')

    test.each([
      ['of the data', wide, { data: { classes: 3 } }],
      ['of the network itself', { ...wide, params: three }, {}],
    ])('%s', (_name, parts, options) => {
      const fixes = fixesOf(parts, options)
      expect(shown(fixes)).toEqual([['add_output_layer', { classes: 3 }]])
      expect(outOf(fixes[0])).toBe('=classes')
      expect(fixes[0]?.document.params.get('classes')?.role).toBe('classes')
    })

    test('a missing head gets its output layer, not the 128 numbers before it', () => {
      const fixes = fixesOf({ ...wide, task: 'classification', heads: {}, params: three })
      expect(shown(fixes)).toEqual([['add_output_layer', { classes: 3 }]])
    })

    test('a layer that nobody reads does not become a second result', () => {
      const nodes = {
        g: 'globalavg',
        t: { op: 'linear', out: '=classes' },
        side: { op: 'linear', in: 'g', out: 64 },
      }
      const fixes = fixesOf({ nodes, heads: classification, params: three })
      expect(shown(fixes).map(([kind]) => kind)).toEqual(['remove_layer', 'switch_off'])
    })

    test('a result that only waited behind another mistake holds no repair back', () => {
      const nodes = { a: { op: 'conv', groups: 2 }, g: 'globalavg', t: { op: 'linear', out: 64 } }
      expect(fixesOf({ nodes, heads: classification, params: three })[0]?.kind).toBe('set_param')
    })

    test('the layer follows the number of classes instead of being set to it', () => {
      const nodes = { g: 'globalavg', t: { op: 'linear', out: 128 } }
      const [fix] = fixesOf({ nodes, heads: classification }, { data: { classes: 3 } })
      expect(outOf(fix)).toBe('=classes')
      const other = resolve(fix?.document ?? makeNetwork({}), { ...library, data: { classes: 7 } })
      expect(other.errors).toEqual([])
      expect(other.types.get('t')).toMatchObject({ c: 7 })
    })
  })

  test('a repair that only shows the next mistake comes last', () => {
    const nodes = { a: 'globalavg', b: { op: 'conv', out: 8 }, t: { op: 'maxpool', kernel: 3 } }
    const fixes = fixesOf({ nodes })
    expect(fixes.map(({ parameters }) => parameters === null)).toEqual(
      [...fixes.map(({ parameters }) => parameters === null)].sort(),
    )
  })

  test('a layer that is added has its price, a setting that only lets layers go on has none', () => {
    const nodes = { a: { op: 'conv', out: 8 }, t: { op: 'linear', out: 10 }, u: { op: 'linear', out: 5 } }
    const prices = fixesOf({ nodes, heads: { main: { task: 'x', from: 'u' } } })
    expect(prices.map(({ kind, parameters }) => [kind, parameters])).toEqual([
      ['insert_globalavg', 8 * 10 + 10],
      ['insert_flatten', 8 * 32 * 32 * 10 + 10],
      ['remove_layer', null],
    ])
    const grouped = { a: { op: 'conv', out: 8, groups: 2 }, t: { op: 'conv', out: 4 } }
    expect(fixesOf({ nodes: grouped })[0]).toMatchObject({ kind: 'set_param', parameters: null })
  })

  test('copies of a block with several outputs are told to hand on the first one alone, and stand one by one at a click', () => {
    const both = { a: { op: 'conv', in: 'x', out: '=4+more' }, b: { op: 'conv', in: 'y', out: 4 } }
    const blocks = {
      two: { inputs: ['x', 'y'], params: { more: 0 }, nodes: both, outputs: { left: 'a', right: 'b' } },
    }
    const nodes = {
      two: { op: 'two', in: ['image', 'image'], more: '=i', repeat: 3 },
      t: { op: 'concat', in: ['two.left', 'two.right'] },
    }
    const document = makeNetwork({ blocks, nodes, heads })
    const { warnings } = resolve(document, library)
    const [told] = warnings.filter(({ code }) => code === 'repeat_outputs')
    expect(told).toMatchObject({ node: 'two', data: { op: 'two', first: 'left', others: 'right' } })
    const [fix] = told === undefined ? [] : checkFixes(told, document, library)
    expect(fix).toMatchObject({ kind: 'unroll', data: { node: 'two', count: 3 } })
    const unrolled = fix?.document.nodes
    expect([...(unrolled?.keys() ?? [])]).toEqual(['two', 'two2', 'two3', 't'])
    expect(unrolled?.get('two3')).toMatchObject({ in: ['two2.left', 'two2.right'] })
    expect(unrolled?.get('t')).toMatchObject({ in: ['two3.left', 'two3.right'] })
    const after = resolve(fix?.document ?? document, library)
    expect(after.warnings).toEqual([])
    expect(['two', 'two2', 'two3'].map((id) => after.types.get(`${id}.left`)?.c)).toEqual([4, 5, 6])
  })

  test('a repeated block with one output and several inputs means what it says', () => {
    const blocks = { join: { inputs: ['x', 'skip'], nodes: { s: { op: 'add', in: ['x', 'skip'] } } } }
    const nodes = { t: { op: 'join', in: ['image', 'image'], repeat: 3 } }
    expect(resolve(makeNetwork({ blocks, nodes, heads }), library).warnings).toEqual([])
  })

  test('a segmentation that ends in numbers gets a picture again', () => {
    const nodes = { a: { op: 'conv', out: 8, stride: 2 }, t: 'globalavg' }
    const kinds = fixesOf({ nodes, heads: { main: { task: 'segmentation', from: 't' } } }).map(
      ({ kind }) => kind,
    )
    expect(kinds).toContain('add_output_layer')
  })

  test('a repair at once for warnings, too', () => {
    const head = (from: string, task = 'x') => ({ main: { task, from } })
    const first = (parts: Record<string, unknown>) => shown(fixesOf(parts))[0]
    expect(first({ heads: head('a'), nodes: { a: 'relu', b: 'tanh' } })).toEqual([
      'remove_layer',
      { node: 'b' },
    ])
    const end = { heads: head('a'), nodes: { a: 'relu', b: 'tanh' } }
    expect(shown(fixesOf(end)).map(([kind]) => kind)).toEqual(['remove_layer', 'switch_off', 'add_head'])
    expect(first({ heads: head('s', 'segmentation'), nodes: { a: 'conv', s: 'softmax' } })).toEqual([
      'remove_layer',
      { node: 's' },
    ])
    expect(first({ heads: head('p'), nodes: { t: 'to_tokens', p: 'pos_embed' } })).toEqual([
      'insert_input_resize',
      { size: '32×32' },
    ])
    expect(first({ heads: head('b'), nodes: { a: 'relu', b: 'gelu' } })).toEqual([
      'remove_layer',
      { node: 'b' },
    ])
    expect(first({ heads: head('b'), nodes: { a: 'conv', b: 'bn' } })).toEqual(['bias_off', { node: 'a' }])
    const deep = Object.fromEntries(
      Array.from({ length: 24 }, (_, k) => [
        [`c${k}`, { op: 'conv', out: 4 }],
        [`r${k}`, 'relu'],
      ]).flat(),
    )
    expect(first({ heads: head('r23'), nodes: deep })).toEqual(['insert_norms', { count: 24 }])
  })
})

test('on random documents nothing throws, and what is offered helps', () => {
  const random = makeRandom(5)
  const met = new Set<string>()
  for (let k = 0; k < 300; k += 1) {
    const made = makeRandomDocument(random, library.catalogue, library.std.keys(), random.pick([1, 0.7, 0.3]))
    const { document } = readDocument(made)
    if (document === null) continue
    for (const error of resolve(document, library).errors.slice(0, 2)) {
      const fixes = checkFixes(error, document, library)
      if (fixes.length > 0) met.add(error.code)
    }
  }
  // The documents have to reach most kinds of mistakes, or this test says nothing.
  expect(met.size).toBeGreaterThan(20)
})

test('a list of repairs is there at once, also in a network of a hundred layers', () => {
  const nodes: Record<string, unknown> = {}
  for (let k = 0; k < 32; k += 1) {
    nodes[`c${k}`] = { op: 'conv', out: 16 }
    nodes[`b${k}`] = 'bn'
    nodes[`r${k}`] = 'relu'
  }
  const document = makeNetwork({
    nodes: { ...nodes, t: 'linear' },
    heads: { main: { task: 'x', from: 't' } },
  })
  const memory = new Map()
  const [error] = resolve(document, { ...library, memory }).errors
  if (error === undefined) throw new Error('no error')
  const list = () => fixesFor(error, document, { ...library, memory })
  expect(list()).toHaveLength(3)
  expect(quickest(list, 50)).toBeLessThan(50)
})

test.each(exampleIds)('%s has no false alarm', (id) => {
  // A position embedding does tie the network to its picture size.
  const expected = id === 'vit_tiny' ? [['fixed_size', 'pos']] : []
  const { warnings } = resolve(makeDocument(exampleText(id)), library)
  expect(warnings.map(({ code, node }) => [code, node])).toEqual(expected)
})
