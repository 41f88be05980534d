/** Random parameters of a layer that mostly suit what comes in. */
import type { OpEntry, OpParam } from '@neuroloom/contract/network/catalogue'
import type { Value } from '@neuroloom/contract/network/resolve/expr'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import type { Random } from '../network/random.ts'

export type Given = Map<string, Value>

const often = 0.6

export function makeParams(random: Random, entry: OpEntry, inputs: readonly TensorType[]): Given {
  const given: Given = new Map()
  const [first] = inputs
  if (first === undefined) return given
  const sizes = first.k === 'map' ? first.s : []
  for (const [name, param] of entry.params) {
    const suited = suiting(name, { random, first, sizes, given })
    if (suited !== null) given.set(name, suited)
    else if (random.chance(often))
      given.set(name, anyValue(name, { random, param, sizes, channels: first.c }))
  }
  return given
}

interface Around {
  random: Random
  first: TensorType
  sizes: readonly number[]
  given: Given
}

/** Values that depend on the input; null where any will do (and, now and then, where it will not). */
function suiting(name: string, { random, first, sizes, given }: Around): Value | null {
  if (random.chance(0.08)) return null
  switch (name) {
    case 'groups': {
      const out = given.get('out')
      const divides = divisors(first.c).filter((d) => typeof out !== 'number' || out % d === 0)
      return random.pick(divides)
    }
    case 'heads':
      return random.pick(divisors(first.c))
    case 'out':
      return random.pick([2, 4, 6, 8, 12, first.c])
    case 'from':
      return random.below(first.c)
    case 'to': {
      const from = Number(given.get('from') ?? 0)
      return from + 1 + random.below(Math.max(1, first.c - from))
    }
    case 'index':
      return first.k === 'seq' ? random.below(first.n) : null
    case 'channels':
      return random.pick(divisors(first.c))
    case 'size':
      if (first.k === 'vec') return factorise(random, first.c / Number(given.get('channels') ?? 1))
      return sizes.length > 0 && given.size === 0 ? random.pick([1, 2, 3, 4, 5, 7, 9]) : null
    case 'amount':
      return random.pick([0, 1, 1, 2, sizes.map(() => random.below(3))])
    case 'dim':
    case 'hidden':
      return random.pick([3, 4, 8])
    case 'min':
      return random.pick([-1, -0.5, 0])
    case 'max':
      return random.pick([0.5, 1, 2])
  }
  return null
}

function factorise(random: Random, area: number): number[] {
  if (!Number.isInteger(area) || area < 1) return [1]
  const first = random.pick(divisors(area))
  return random.pick([[area], [first, area / first], [1, first, area / first]])
}

function divisors(value: number): number[] {
  return Array.from({ length: value }, (_, k) => k + 1).filter((d) => value % d === 0)
}

interface Wish {
  random: Random
  param: OpParam
  sizes: readonly number[]
  channels: number
}

function anyValue(name: string, { random, param, sizes, channels }: Wish): Value {
  const { min = -Infinity, max = Infinity } = param
  const inRange = (value: number) => Math.min(max, Math.max(min, value))
  const whole = () => inRange(random.pick(wholes[name] ?? [1, 2, 3, 4]))
  switch (param.t) {
    case 'bool':
      return random.chance(0.5)
    case 'enum':
      return random.pick(param.enum ?? [])
    case 'float':
      return inRange(random.pick([0, 0.001, 0.1, 0.25, 0.5, 0.9, 1, 2]))
    case 'floats':
      return Array.from({ length: random.pick([1, 1, channels, 2]) }, () => random.pick([0.25, 0.5, 2]))
    case 'ints':
      return Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(3))
    case 'int':
      return whole()
    case 'axis':
      return random.chance(0.3) ? sizes.map(whole) : whole()
  }
}

/** Where the numbers 1 to 4 would not show enough. */
const wholes: Record<string, readonly number[]> = {
  kernel: [1, 2, 3, 3, 4, 5, 7],
  stride: [1, 1, 2, 3],
  pad: [0, 1, 1, 2, 3],
  outpad: [0, 0, 1, 2],
  dilation: [1, 1, 2, 3],
  factor: [1, 2, 2, 3],
  window: [2, 3, 4, 5],
  shift: [0, 1, 2, 3],
  layers: [1, 2, 3],
}
