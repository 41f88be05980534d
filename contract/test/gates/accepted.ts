/** What PyTorch would run although the contract refuses it, each with the reason why the contract stays stricter. */
import type { ErrorCode } from '@neuroloom/contract/network/resolve/problems'
import type { Refusal } from './refusals.ts'

interface Acceptance {
  code: ErrorCode
  /** Only these layers; without it, any. */
  ops?: readonly string[]
  reason: string
}

const acceptances: readonly Acceptance[] = [
  {
    code: 'wrong_kind',
    reason:
      'PyTorch sees a number of axes and no meaning: a sequence passes for a signal, a list of numbers for a picture.',
  },
  {
    code: 'shapes_differ',
    ops: ['add', 'sub', 'mean', 'maximum', 'wadd'],
    reason:
      'PyTorch stretches axes of size 1; a sum of unlike pictures is a mistake far more often than a wish.',
  },
  {
    code: 'rank_differs',
    ops: ['crop_like'],
    reason: 'Only the axes that both have would be looked at.',
  },
  {
    code: 'cubic_2d',
    ops: ['resize_like'],
    reason:
      'Two pictures of equal size need no work, so that the mode that does not exist is never asked for.',
  },
  {
    code: 'too_small',
    ops: ['crop', 'maxpool', 'deconv'],
    reason: 'Some kernels answer with an empty picture, of which nothing can be learned.',
  },
  {
    code: 'slice_range',
    ops: ['slice'],
    reason: 'A slice without a channel is empty.',
  },
  {
    code: 'per_channel_len',
    ops: ['standardise'],
    reason: 'One channel would be multiplied into as many as there are numbers.',
  },
  {
    code: 'numel_differs',
    ops: ['to_map'],
    reason: 'Numbers of several samples would be mixed where the product only fits the whole batch.',
  },
  {
    code: 'inorm_one',
    ops: ['gn'],
    reason:
      'Groups of one number always give 0; PyTorch refuses them for a single sample and takes them for two.',
  },
  {
    code: 'shift_range',
    ops: ['window_attention'],
    reason: 'A shift by a whole window is no shift.',
  },
]

/** The reviewed reason why PyTorch may take what the contract refuses, or null. */
export function acceptance({ op, code }: Refusal): Acceptance | null {
  return acceptances.find((one) => one.code === code && one.ops?.includes(op) !== false) ?? null
}
