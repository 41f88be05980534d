/** Which repairs come into question for which problem, most useful first; whether one helps is found out elsewhere. */
import type { Document } from '../document/document.ts'
import type { ErrorCode, WarningCode } from '../resolve/problems.ts'
import { dataChannels, dataRank, formula, inputSize, tooBig, tooLarge } from './frame.ts'
import { headClasses, headKind, headSize, noHead } from './heads.ts'
import type { Candidate } from './kinds.ts'
import type { FixContext } from './place.ts'
import { intoRange, ofRightKind, reset, rightCount, setNumbers, setParam, withoutParam } from './set.ts'
import { cropBigger, onePixel, otherCount, otherRank, unlikeInputs, wrongKind } from './shape.ts'
import { sizeMultiple, tooSmall, uneven } from './size.ts'
import { warningRepairs } from './warnings.ts'
import {
  cutLoop,
  inputCount,
  openInput,
  removeLayer,
  shareDiffers,
  unknownOp,
  unknownPort,
  unknownReference,
} from './wire.ts'

type Repair = (context: FixContext) => Iterable<Candidate>

const repairs: Record<ErrorCode | WarningCode, Repair> = {
  wrong_kind: (context) =>
    context.problem.node.startsWith('heads.') ? headKind(context) : wrongKind(context),
  input_missing: openInput,
  input_count: inputCount,
  shapes_differ: unlikeInputs,
  sizes_differ: unlikeInputs,
  channels_differ: unlikeInputs,
  numel_differs: otherCount,
  too_small: tooSmall,
  size_multiple: sizeMultiple,
  groups_divide: uneven,
  groups_divide_out: uneven,
  heads_divide: uneven,
  shuffle_divide: uneven,
  pad_half: nearest((of) => ({ pad: Math.floor(of('kernel') / 2) })),
  outpad_range: nearest((of) => ({ outpad: Math.max(of('stride'), of('dilation')) - 1 })),
  reflect_big: reflectBig,
  shift_range: nearest((of) => ({ shift: Math.floor(of('window') / 2) })),
  slice_range: sliceRange,
  token_range: nearest(() => ({ index: 0 })),
  clamp_range: swapBounds,
  crop_bigger: cropBigger,
  inorm_one: onePixel,
  per_channel_len: perChannel,
  rank_unsupported: otherRank,
  cubic_2d: otherRank,
  rank_differs: otherRank,
  axis_count: rightCount,
  param_range: intoRange,
  param_type: ofRightKind,
  unknown_param: withoutParam,
  bad_expression: formula,
  unknown_op: unknownOp,
  unknown_ref: unknownReference,
  unknown_port: unknownPort,
  share_differs: shareDiffers,
  cycle: cutLoop,
  too_deep: removeLayer,
  too_big: tooBig,
  too_large: tooLarge,
  head_missing: noHead,
  head_classes: headClasses,
  head_size: headSize,
  data_channels: dataChannels,
  data_rank: dataRank,
  input_size: inputSize,
  ...warningRepairs,
}

export function candidatesFor(context: FixContext): Iterable<Candidate> {
  return repairs[context.problem.code](context)
}

/** One number that follows from the message's own, else the usual value. */
function nearest(value: (of: (name: string) => number) => Record<string, number>): Repair {
  return function* repair(context) {
    for (const [param, number] of Object.entries(value((name) => Number(context.problem.data[name])))) {
      if (Number.isInteger(number) && number >= 0) yield* setNumbers(context, param, [number])
      yield* reset(context, param)
    }
    yield* removeLayer(context)
  }
}

/** As many channels as there are. */
function* sliceRange(context: FixContext): Generator<Candidate> {
  const { from, to, c } = context.problem.data
  const end = Math.min(Number(to), Number(c))
  if (Number(from) < end) yield* setNumbers(context, 'to', [end])
  yield* setNumbers(context, 'from', [Math.max(0, end - 1), 0])
  yield* removeLayer(context)
}

/** Mirrored edges reach no further than the picture. */
function* reflectBig(context: FixContext): Generator<Candidate> {
  const { levels, problem } = context
  const param = levels.at(-1)?.node.op === 'pad' ? 'amount' : 'pad'
  const size = Number(problem.data.size)
  yield* setNumbers(
    context,
    param,
    [size - 1].filter((amount) => amount >= 0 && amount <= 64),
  )
  yield* setParam(context, levels, 'mode', 'zeros')
  yield* removeLayer(context)
}

function* swapBounds(context: FixContext): Generator<Candidate> {
  const { levels, problem } = context
  const [least, most] = [Number(problem.data.min), Number(problem.data.max)]
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  const [first] = setParam(context, levels, 'min', most)
  if (least !== most && first !== undefined) {
    for (const { document: both } of setParam(
      { ...context, document: first.document },
      levels,
      'max',
      least,
    )) {
      yield { kind: 'swap_bounds', data: { min: most, max: least }, document: both }
    }
  }
  yield* setNumbers(context, 'max', [least + 1])
  yield* removeLayer(context)
}

/** One value for all channels is always allowed. */
function* perChannel(context: FixContext): Generator<Candidate> {
  const { levels, problem, document } = context
  const params = levels.at(-1)?.node.params
  let patched: Document = document
  const count = Number(problem.data.c)
  for (const param of ['mean', 'std']) {
    const value = params?.get(param)
    if (!Array.isArray(value) || value.length === 1 || value.length === count) continue
    const [first = 0] = value
    for (const candidate of setParam({ ...context, document: patched }, levels, param, [first])) {
      patched = candidate.document
      yield { ...candidate, document: patched }
    }
  }
  yield* removeLayer(context)
}
