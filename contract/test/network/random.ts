/** Random documents from a seed: mostly sensible networks, with a dose of nonsense, so that every refusal is met. */
import type { Catalogue, OpEntry, OpParam } from '@neuroloom/contract/network/catalogue'

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

/** Mulberry32: small, fast, the same everywhere. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}

type Made = Record<string, unknown>

const nonsense: readonly unknown[] = [
  null, -1, 0, 1.5, 1e9, Number.MAX_VALUE, true, '', 'x', '=', '=1/0', '=in.c*1e300', '=i', '=x.c', '=w//2', '=in.s',
  '=in', '=widht', '=2^2000', '=[1,2]', '=sum()', '=((((', [], [0], [1, 2], [1, 2, 3], ['=w', 2], {}, { a: 'b' },
] // biome-ignore format: a list of words

/** `sense`: 1 = as right as chance allows, 0 = nonsense everywhere. */
export function makeRandomDocument(
  random: Random,
  catalogue: Catalogue,
  std: Iterable<string>,
  sense: number,
): Made {
  const ops = [...catalogue.keys()]
  const library = [...std]
  const rank = 1 + random.below(3)
  const kind = random.pick(['image', 'image', 'image', 'vec', 'seq'])
  const sizes = Array.from({ length: kind === 'seq' ? 1 : rank }, () => 4 + random.below(9))
  const channels = random.pick([1, 2, 3, 4, 8])
  const slip = () => random.chance(0.1 * (1 - sense))
  const blocks: Made = {}
  for (const name of ['own', 'twin']) {
    if (random.chance(0.3)) blocks[name] = { params: { w: 4 }, nodes: makeNodes(['x'], 1 + random.below(3)) }
  }
  const nodes = makeNodes(['image'], 1 + random.below(12))
  const last = slip() ? 'missing' : (Object.keys(nodes).at(-1) ?? 'image')
  return {
    dripe: slip() ? 3 : 1,
    name: 'random',
    task: 'x',
    params: { w: slip() ? random.pick(nonsense) : 4 },
    inputs: { image: { kind, channels, ...(kind === 'vec' ? {} : { size: sizes }) } },
    blocks,
    nodes,
    heads: { main: { task: random.pick(['x', 'x', 'x', 'classification', 'segmentation']), from: last } },
  }

  function makeNodes(ports: string[], count: number): Made {
    const made: Made = {}
    const known = [...ports]
    for (let k = 0; k < count; k += 1) {
      const id = slip() ? random.pick(['constructor', '__proto__', 'Bad', 'image', 'n0']) : `n${k}`
      made[id] = slip() ? random.pick(nonsense) : makeNode(known)
      known.push(id)
    }
    return made
  }

  function makeNode(known: readonly string[]): Made {
    const op = slip() ? 'nonsense' : random.pick(random.chance(0.85) ? ops : [...library, 'own', 'twin'])
    const entry = catalogue.get(op)
    const node: Made = { op }
    const many = entry?.in[0]?.many !== undefined ? 2 + random.below(2) : (entry?.in.length ?? 1)
    if (many > 1 || random.chance(0.3)) node.in = Array.from({ length: many }, () => aReference(known))
    if (entry !== undefined) addParams(node, entry)
    if (random.chance(0.1)) node.repeat = slip() ? random.pick(nonsense) : 1 + random.below(3)
    if (random.chance(0.05))
      node.off = slip() ? random.pick(nonsense) : random.pick([true, false, '=in.c>3', '=i==0'])
    if (random.chance(0.05)) node.share = random.pick(known)
    return node
  }

  function aReference(known: readonly string[]): string {
    if (slip()) return random.pick(['n9', 'image.x', 'n0.out', 'constructor'])
    return random.chance(0.5) ? (known.at(-1) ?? 'image') : random.pick(known)
  }

  function addParams(node: Made, entry: OpEntry): void {
    for (const [name, param] of entry.params) {
      if (random.chance(0.5)) node[name] = slip() ? random.pick(nonsense) : aValue(param)
    }
    if (slip()) node.kernal = 3
  }

  function aValue(param: OpParam): unknown {
    const whole = () =>
      Math.min(param.max ?? 8, Math.max(param.min ?? 1, random.pick([1, 1, 2, 2, 3, 4, 6, 8])))
    switch (param.t) {
      case 'bool':
        return random.chance(0.5)
      case 'enum':
        return random.pick(param.enum ?? ['x'])
      case 'float':
        return Math.min(param.max ?? 1, Math.max(param.min ?? 0, random.pick([0.1, 0.25, 0.5, 1])))
      case 'floats':
        return Array.from({ length: random.pick([1, channels]) }, () => 0.5)
      case 'ints':
        return Array.from({ length: rank }, () => 1 + random.below(3))
      case 'int':
        return random.chance(0.1) ? '=w' : whole()
      case 'axis':
        return random.chance(0.2) ? Array.from({ length: rank }, whole) : whole()
    }
  }
}
