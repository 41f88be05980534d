/** Random types of small tensors. */
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import type { Random } from '../network/random.ts'

export const kinds = ['map', 'vec', 'seq']
const someChannels = [1, 2, 3, 4, 4, 6, 8, 8, 12, 16]
/** Smallest and number of sizes, by rank. */
const someSizes: readonly (readonly [number, number])[] = [
  [6, 20],
  [4, 10],
  [3, 5],
]

export function makeType(random: Random, kind: string, rank = 1 + random.below(3)): TensorType {
  const c = random.pick(someChannels)
  if (kind === 'vec') return { k: 'vec', c: c * random.pick([1, 4, 9]) }
  if (kind === 'seq') return { k: 'seq', n: 2 + random.below(11), c }
  const [least, spread] = someSizes[rank - 1] ?? [4, 4]
  const side = least + random.below(spread)
  const s = Array.from({ length: rank }, () => (random.chance(0.6) ? side : least + random.below(spread)))
  return { k: 'map', c, s }
}

export function nearly(random: Random, type: TensorType): TensorType {
  const c = random.chance(0.3) ? random.pick(someChannels) : type.c
  if (type.k === 'map') return { ...type, c, s: type.s.map((size) => (random.chance(0.2) ? size + 1 : size)) }
  return type.k === 'seq' && random.chance(0.3) ? { ...type, c, n: type.n + 1 } : { ...type, c }
}

/** Now and then as small as can be: one pixel, one token. */
export function tiny(random: Random, type: TensorType): TensorType {
  if (!random.chance(0.15)) return type
  if (type.k === 'map') return { ...type, s: type.s.map(() => (random.chance(0.7) ? 1 : 2)) }
  return type.k === 'seq' ? { ...type, n: 1 } : type
}

export function gateFor(type: TensorType, random: Random): TensorType {
  const open = (size: number) => (random.chance(0.6) ? 1 : size)
  if (type.k === 'map') return { k: 'map', c: open(type.c), s: type.s.map(open) }
  return type.k === 'seq' ? { k: 'seq', n: open(type.n), c: open(type.c) } : { k: 'vec', c: open(type.c) }
}
