/** A network with one mistake for every message, with what is said of it and where. */
import type { Problem } from '@neuroloom/contract/network/resolve/problems'
import type { ResolveOptions } from '@neuroloom/contract/network/resolve/resolve'

type Nodes = Record<string, unknown>

const volume = { inputs: { image: { kind: 'volume', channels: 8, size: [8, 8, 8] } } }
const vector = { inputs: { image: { kind: 'vec', channels: 8 } } }
const sequence = { inputs: { image: { kind: 'seq', channels: 8, size: [5] } } }
const loop = { nodes: { a: { op: 'relu', in: 'b' }, b: { op: 'relu', in: 'a' }, c: 'relu' } }
const two = (b: Nodes, last: Nodes) => ({ nodes: { a: 'relu', b: { in: 'image', ...b }, t: last } })

/** Text key, document parts, the problem, and what is given beside the document. */
export const cases: [string, Record<string, unknown>, Partial<Problem>, Partial<ResolveOptions>?][] = [
  [
    'wrong_kind_vec',
    { nodes: { t: 'linear' } },
    { node: 't', port: 'x', data: { expected: 'vec', got: 'map', input: '3×32×32' } },
  ],
  [
    'wrong_kind_map',
    { ...vector, nodes: { t: 'conv' } },
    { data: { expected: 'map', got: 'vec', input: '8' } },
  ],
  ['wrong_kind_seq', { nodes: { t: 'attention' } }, { port: 'x' }],
  ['wrong_kind_map', two({ op: 'globalavg' }, { op: 'add', in: ['a', 'b'] }), { node: 't' }],
  ['input_missing', { nodes: { a: 'relu', t: 'sub' } }, { port: 'b', data: { port: 'b' } }],
  ['input_missing', { nodes: { t: { op: 'gate_sum', in: { a: 'image' } } } }, { port: 'b' }],
  ['input_count', { nodes: { t: 'add' } }, { data: { least: 2, most: 16, count: 1 } }],
  [
    'input_count',
    { nodes: { t: { op: 'relu', in: ['image', 'image'] } } },
    { data: { least: 1, most: 1, count: 2 } },
  ],
  [
    'shapes_differ',
    two({ op: 'conv', out: 8 }, { op: 'add', in: ['a', 'b'] }),
    { data: { input: '3×32×32', other: '8×32×32' } },
  ],
  ['shapes_differ', two({ op: 'maxpool' }, { op: 'mul', in: ['a', 'b'] }), {}],
  [
    'sizes_differ',
    two({ op: 'conv', stride: 2 }, { op: 'concat', in: ['a', 'b'] }),
    { data: { input: '3×32×32', other: '64×16×16' } },
  ],
  [
    'channels_differ',
    { ...sequence, ...two({ op: 'linear', out: 4 }, { op: 'concat_tokens', in: ['a', 'b'] }) },
    {},
  ],
  [
    'numel_differs',
    { ...vector, nodes: { t: { op: 'to_map', channels: 3, size: [2, 2] } } },
    { data: { input: '8' } },
  ],
  ['too_small', { nodes: { t: { op: 'maxpool', kernel: 33 } } }, { data: { input: '3×32×32', size: 32 } }],
  [
    'size_multiple',
    { nodes: { a: { op: 'crop', amount: [1, 2] }, b: { op: 'pixelunshuffle', factor: 4 } } },
    { node: 'b', data: { size: 30, factor: 4 } },
  ],
  ['groups_divide', { nodes: { t: { op: 'conv', groups: 2 } } }, { data: { c: 3, groups: 2 } }],
  ['groups_divide_out', { nodes: { t: { op: 'conv', groups: 3 } } }, { data: { out: 64, groups: 3 } }],
  ['groups_divide', { nodes: { t: 'gn' } }, { data: { c: 3, groups: 8 } }],
  [
    'heads_divide',
    { ...sequence, nodes: { t: { op: 'attention', heads: 3 } } },
    { data: { c: 8, heads: 3 } },
  ],
  ['shuffle_divide', { nodes: { t: 'pixelshuffle' } }, { data: { c: 3, factor: 2 } }],
  ['pad_half', { nodes: { t: { op: 'maxpool', pad: 2 } } }, { data: { pad: 2, kernel: 2 } }],
  [
    'outpad_range',
    { nodes: { t: { op: 'deconv', outpad: 2 } } },
    { data: { outpad: 2, stride: 2, dilation: 1 } },
  ],
  ['reflect_big', { nodes: { t: { op: 'pad', amount: 32, mode: 'reflect' } } }, { data: { size: 32 } }],
  ['shift_range', { nodes: { t: { op: 'window_attention', shift: 7 } } }, { data: { shift: 7, window: 7 } }],
  ['slice_range', { nodes: { t: { op: 'slice', from: 2, to: 4 } } }, { data: { from: 2, to: 4, c: 3 } }],
  [
    'token_range',
    { ...sequence, nodes: { t: { op: 'take_token', index: 5 } } },
    { data: { index: 5, input: '5×8' } },
  ],
  ['clamp_range', { nodes: { t: { op: 'clamp', min: 2 } } }, { data: { min: 2, max: 1 } }],
  [
    'crop_bigger',
    { nodes: { a: { op: 'upsample' }, t: { op: 'crop_like', in: ['image', 'a'] } } },
    { data: { input: '3×32×32', other: '3×64×64' } },
  ],
  ['inorm_one', { nodes: { a: { op: 'adaptavg', size: 1 }, t: 'inorm' } }, { data: { input: '3×1×1' } }],
  ['per_channel_len', { nodes: { t: { op: 'standardise', mean: [0, 1] } } }, { data: { c: 3 } }],
  ['rank_unsupported', { ...volume, nodes: { t: 'window_attention' } }, { data: { rank: 3, expected: '2' } }],
  ['cubic_2d', { ...volume, nodes: { t: { op: 'upsample', mode: 'cubic' } } }, { data: { R: 3 } }],
  [
    'rank_differs',
    {
      inputs: {
        image: { kind: 'image', channels: 3, size: [8, 8] },
        line: { kind: 'signal', channels: 3, size: [8] },
      },
      nodes: { t: { op: 'resize_like', in: ['image', 'line'] } },
    },
    { data: { input: '3×8×8', other: '3×8' } },
  ],
  [
    'axis_count',
    { nodes: { t: { op: 'conv', kernel: [3, 3, 3] } } },
    { data: { param: 'kernel', count: 3, rank: 2 } },
  ],
  [
    'param_range',
    { nodes: { t: { op: 'conv', stride: 17 } } },
    { data: { param: 'stride', value: 17, min: 1, max: 16 } },
  ],
  [
    'param_range',
    { nodes: { t: { op: 'relu', repeat: 257 } } },
    { data: { param: 'repeat', value: 257, min: 0, max: 256 } },
  ],
  [
    'param_range_least',
    { params: { w: { default: 8, min: 4 } }, nodes: { t: 'relu' } },
    { data: { param: 'w', value: 2, min: 4 } },
    { params: { w: 2 } },
  ],
  [
    'param_range_most',
    { params: { w: { default: 8, max: 9 } }, nodes: { t: 'relu' } },
    { data: { param: 'w', value: 12, max: 9 } },
    { params: { w: 12 } },
  ],
  [
    'param_type_number',
    { nodes: { t: { op: 'conv', out: 'many' } } },
    { data: { param: 'out', expected: 'number', value: 'many' } },
  ],
  [
    'param_type_int',
    { nodes: { t: { op: 'conv', out: 2.5 } } },
    { data: { param: 'out', expected: 'int', value: '2.5' } },
  ],
  [
    'param_type_bool',
    { nodes: { t: { op: 'conv', bias: 1 } } },
    { data: { param: 'bias', expected: 'bool', value: '1' } },
  ],
  [
    'param_type_list',
    { nodes: { t: { op: 'standardise', mean: 1 } } },
    { data: { param: 'mean', expected: 'list', value: '1' } },
  ],
  [
    'param_type_text',
    { params: { m: 'zeros' }, nodes: { t: 'relu' } },
    { data: { param: 'm', expected: 'text', value: '3' } },
    { params: { m: 3 } },
  ],
  [
    'param_type_choice',
    { nodes: { t: { op: 'upsample', mode: 'round' } } },
    { data: { param: 'mode', expected: 'choice', value: 'round', choices: 'nearest, linear, cubic' } },
  ],
  ['unknown_param', { nodes: { t: { op: 'conv', something: 3 } } }, { data: { param: 'something' } }],
  [
    'unknown_param_near',
    { nodes: { t: { op: 'conv', kernal: 3 } } },
    { data: { param: 'kernal', nearest: 'kernel' } },
  ],
  [
    'unknown_param_near',
    { nodes: { t: { op: 'conv_bn_relu', kernal: 3 } } },
    { node: 't', data: { param: 'kernal', nearest: 'kernel' } },
  ],
  [
    'bad_expression_syntax',
    { nodes: { t: { op: 'conv', out: '=2*' } } },
    { data: { param: 'out', text: '=2*', problem: 'syntax', symbol: '', at: 3 } },
  ],
  ['bad_expression_too_long', { nodes: { t: { op: 'conv', out: `=${'1+'.repeat(300)}1` } } }, {}],
  ['bad_expression_unknown_name', { nodes: { t: { op: 'conv', out: '=something' } } }, {}],
  [
    'bad_expression_near',
    { params: { width: 8 }, nodes: { t: { op: 'conv', out: '=widht' } } },
    {
      data: {
        param: 'out',
        text: '=widht',
        problem: 'unknown_name',
        symbol: 'widht',
        at: 1,
        nearest: 'width',
      },
    },
  ],
  ['bad_expression_unknown_function', { nodes: { t: { op: 'conv', out: '=sine_of(3)' } } }, {}],
  ['bad_expression_arguments', { nodes: { t: { op: 'conv', out: '=floor(1,2)' } } }, {}],
  ['bad_expression_not_a_number', { nodes: { t: { op: 'conv', out: '=image+1' } } }, {}],
  ['bad_expression_divide_by_zero', { nodes: { t: { op: 'conv', out: '=8//(in.c-3)' } } }, {}],
  ['bad_expression_index', { nodes: { t: { op: 'conv', out: '=in.s[2]' } } }, {}],
  ['unknown_op', { nodes: { t: 'something' } }, { data: { op: 'something' } }],
  [
    'unknown_op_near',
    { nodes: { t: 'conv_bn_rleu' } },
    { data: { op: 'conv_bn_rleu', nearest: 'conv_bn_relu' } },
  ],
  ['unknown_ref', { nodes: { t: { op: 'relu', in: 'something' } } }, { data: { ref: 'something' } }],
  [
    'unknown_ref_near',
    { nodes: { t: { op: 'relu', in: 'imgae' } } },
    { data: { ref: 'imgae', nearest: 'image' } },
  ],
  [
    'unknown_port',
    { nodes: { a: 'relu', t: { op: 'relu', in: 'a.left' } } },
    { data: { ref: 'a.left', port: 'left' } },
  ],
  [
    'unknown_port_near',
    { nodes: { t: { op: 'attention_gate', in: { skip: 'image', gata: 'image' } } } },
    { data: { ref: 'gata', port: 'gata', nearest: 'gate' } },
  ],
  [
    'share_differs',
    { nodes: { a: { op: 'conv', out: 8 }, t: { op: 'conv', out: 8, share: 'a' } } },
    { data: { share: 'a' } },
  ],
  ['share_differs', { nodes: { a: 'relu', t: { op: 'conv', share: 'a' } } }, {}],
  ['unknown_ref', { nodes: { t: { op: 'conv', share: 'b' } } }, { data: { ref: 'b' } }],
  ['cycle', loop, { node: 'a', data: { loop: 'a → b → a' } }],
  ['cycle', { nodes: { t: { op: 'relu', in: 't' } } }, { data: { loop: 't → t' } }],
  [
    'too_deep',
    { blocks: { b: { nodes: { n: 'b' } } }, nodes: { t: 'b' } },
    { node: 't/n', data: { op: 'b' } },
  ],
  [
    'too_big',
    { blocks: { b: { nodes: { n: { op: 'relu', repeat: 256 } } } }, nodes: { t: { op: 'b', repeat: 20 } } },
    { node: '', data: { most: 5000 } },
  ],
  ['too_large', { nodes: { t: { op: 'upsample', factor: 16, repeat: 9 } } }, { node: 't/3' }],
  [
    'too_large',
    { nodes: { t: { op: 'resize', size: 8192, repeat: 1 }, u: { op: 'conv', out: 65536 } } },
    { node: 'u' },
  ],
  ['head_missing', { heads: {}, nodes: { t: 'relu' } }, { node: '' }],
  [
    'unknown_ref',
    { heads: { main: { task: 'x', from: 'b' } }, nodes: { t: 'relu' } },
    { node: 'heads.main' },
  ],
  [
    'head_classes',
    {
      heads: { main: { task: 'classification', from: 'l' } },
      nodes: { g: 'globalavg', l: { op: 'linear', out: 10 } },
    },
    { node: 'heads.main', data: { classes: 4, got: 10 } },
    { data: { classes: 4 } },
  ],
  [
    'wrong_kind_vec',
    { heads: { main: { task: 'classification', from: 't' } }, nodes: { t: 'relu' } },
    { node: 'heads.main' },
  ],
  [
    'wrong_kind_map',
    { heads: { main: { task: 'segmentation', from: 't' } }, nodes: { t: 'globalavg' } },
    { node: 'heads.main' },
  ],
  [
    'head_size',
    { heads: { main: { task: 'segmentation', from: 't' } }, nodes: { t: 'maxpool' } },
    { data: { got: '16×16', expected: '32×32' } },
  ],
  [
    'data_channels',
    { nodes: { t: 'relu' } },
    { node: '@image', data: { channels: 1, expected: 3 } },
    { data: { channels: 1 } },
  ],
  ['data_rank', { nodes: { t: 'relu' } }, { data: { got: 3, expected: 2 } }, { data: { size: [8, 8, 8] } }],
  [
    'input_size',
    { inputs: { image: { kind: 'image', channels: 0, size: [8, 8] } }, nodes: { t: 'relu' } },
    { data: { input: 'image', param: 'channels', value: '0' } },
  ],
  [
    'input_size',
    { inputs: { image: { kind: 'image' } }, nodes: { t: 'relu' } },
    { data: { input: 'image', param: 'size', value: '' } },
  ],
  ['unknown_param', { nodes: { t: 'relu' } }, { node: '', data: { param: 'w' } }, { params: { w: 2 } }],
]
