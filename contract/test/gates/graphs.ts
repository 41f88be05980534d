/** Random networks that are right: each layer is chosen for the tensors that are there. */
import type { Catalogue, OpEntry } from '@neuroloom/contract/network/catalogue'
import { type Document, readDocument } from '@neuroloom/contract/network/document/document'
import { inferOp } from '@neuroloom/contract/network/resolve/infer'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import { ModelError } from '@neuroloom/contract/network/resolve/problems'
import { elementsOf } from '@neuroloom/contract/network/resolve/rules'
import type { Random } from '../network/random.ts'
import { type Given, makeParams } from './params.ts'
import { gateFor, makeType } from './types.ts'

interface Tensor {
  ref: string
  type: TensorType
}

interface MadeNode {
  op: string
  in: string[]
  given: Given
  types: TensorType[]
  repeat?: number
  share?: string
}

/** Larger tensors would only be slower. */
const mostElements = 16_384
const mostLearnable = 100_000
const tries = 8

export class GraphMaker {
  /** How often each operation stands in the graphs made so far. */
  readonly hits: Map<string, number>
  private readonly random: Random
  private readonly catalogue: Catalogue
  private readonly mostNodes: number
  private inputs = new Map<string, TensorType>()
  private nodes = new Map<string, MadeNode>()
  private tensors: Tensor[] = []

  constructor(random: Random, catalogue: Catalogue, mostNodes = 12) {
    this.random = random
    this.catalogue = catalogue
    this.mostNodes = mostNodes
    this.hits = new Map([...catalogue.keys()].map((op) => [op, 0]))
  }

  make(): Document {
    const { random } = this
    this.inputs = new Map()
    this.nodes = new Map()
    this.tensors = []
    this.addInput(random.pick(['map', 'map', 'map', 'vec', 'seq']))
    const count = 1 + random.below(this.mostNodes)
    while (this.nodes.size < count) this.addNode(this.nextOp())
    return this.document()
  }

  /** Rare ones first, so that every operation is met even in a few hundred graphs. */
  private nextOp(): string {
    const ops = [...this.hits].sort(([, a], [, b]) => a - b).map(([op]) => op)
    return this.random.pick(this.random.chance(0.5) ? ops.slice(0, 8) : ops)
  }

  private addNode(op: string): void {
    const entry = this.catalogue.get(op)
    if (entry === undefined) throw new Error(op)
    for (let k = 0; k < tries; k += 1) {
      const inputs = this.chooseInputs(op, entry)
      const types = inputs.map(({ type }) => type)
      const given = makeParams(this.random, entry, types)
      const type = this.infer(entry, given, types)
      if (type === null) continue
      const node: MadeNode = { op, in: inputs.map(({ ref }) => ref), given, types }
      const end = this.vary(entry, node, type)
      const id = `n${this.nodes.size}`
      this.nodes.set(id, node)
      this.tensors.push({ ref: id, type: end })
      this.hits.set(op, (this.hits.get(op) ?? 0) + (node.repeat ?? 1))
      return
    }
  }

  /** The type of what comes out; null when refused, or too large to be worth it. */
  private infer(entry: OpEntry, given: Given, types: TensorType[]): TensorType | null {
    try {
      const { type, learn } = inferOp(entry, given, types)
      return elementsOf(type) <= mostElements && learn <= mostLearnable ? type : null
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return null
    }
  }

  /** Now and then the layer is repeated, or uses the weights of one made before. Returns what then comes out. */
  private vary(entry: OpEntry, node: MadeNode, type: TensorType): TensorType {
    const { random } = this
    if (random.chance(0.08)) {
      const again = this.infer(entry, node.given, [type, ...node.types.slice(1)])
      if (again === null) return type
      node.repeat = 2
      return again
    }
    const twin = [...this.nodes].find(
      ([, other]) =>
        other.op === node.op &&
        other.repeat === undefined &&
        JSON.stringify(other.types) === JSON.stringify(node.types),
    )
    if (twin === undefined || !random.chance(0.3)) return type
    const [id, other] = twin
    node.given = other.given
    node.share = other.share ?? id
    return inferOp(entry, node.given, node.types).type
  }

  private chooseInputs(op: string, entry: OpEntry): Tensor[] {
    const [port] = entry.in
    if (port === undefined) throw new Error(op)
    const first = this.choose((type) => fits(entry, port.kinds, type)) ?? this.addFitting(entry, port.kinds)
    if (port.many !== undefined) {
      const [least, most] = port.many
      const count = least + this.random.below(Math.min(3, most - least + 1))
      return [first, ...Array.from({ length: count - 1 }, () => this.partner(op, first))]
    }
    const others = entry.in.slice(1).filter((other) => !other.optional || this.random.chance(0.5))
    return [first, ...others.map((other) => this.second(op, first, other.kinds))]
  }

  /** One more input of a merge: mostly as large as the first one, or a gate for it. */
  private partner(op: string, first: Tensor): Tensor {
    const same = JSON.stringify(first.type)
    const isAlike = (type: TensorType) => {
      if (op === 'concat')
        return JSON.stringify({ ...type, c: 0 }) === JSON.stringify({ ...first.type, c: 0 })
      if (op === 'concat_tokens') return type.k === 'seq' && type.c === first.type.c
      return JSON.stringify(type) === same
    }
    if (op === 'mul' && this.random.chance(0.4))
      return this.addInput(first.type.k, gateFor(first.type, this.random))
    if (this.random.chance(0.85)) return this.choose(isAlike) ?? first
    return this.choose((type) => type.k === first.type.k) ?? first
  }

  private second(op: string, first: Tensor, kinds: string): Tensor {
    const isRight = (type: TensorType) => {
      if (!kinds.includes(type.k)) return false
      if (op === 'sub') return JSON.stringify(type) === JSON.stringify(first.type)
      if (op === 'tokens_to_map') return elementsOf(type) / type.c === elementsOf(first.type) / first.type.c
      return op === 'attention' || rankOf(type) === rankOf(first.type)
    }
    if (this.random.chance(0.1)) return this.choose((type) => kinds.includes(type.k)) ?? first
    const found = this.choose(isRight)
    if (found !== null) return found
    if (op === 'tokens_to_map' && first.type.k === 'seq') {
      return this.addInput('map', { k: 'map', c: 2, s: this.factors(first.type.n) })
    }
    return kinds.includes(first.type.k) ? first : this.addInput('map')
  }

  private factors(product: number): number[] {
    const side = [2, 3, 4].filter((divisor) => product % divisor === 0)
    if (side.length === 0 || this.random.chance(0.3)) return [product]
    const first = this.random.pick(side)
    return [first, product / first]
  }

  private choose(isRight: (type: TensorType) => boolean): Tensor | null {
    const right = this.tensors.filter(({ type }) => isRight(type))
    if (right.length === 0) return null
    const last = right.at(-1)
    return last !== undefined && this.random.chance(0.4) ? last : this.random.pick(right)
  }

  private addFitting(entry: OpEntry, kinds: string): Tensor {
    const kind = this.random.pick(kinds.split('|'))
    const [rank] = entry.ranks ?? []
    return this.addInput(kind, rank === undefined ? undefined : makeType(this.random, kind, rank))
  }

  private addInput(kind: string, type: TensorType = makeType(this.random, kind)): Tensor {
    const ref = `in${this.inputs.size}`
    this.inputs.set(ref, type)
    const tensor = { ref, type }
    this.tensors.push(tensor)
    return tensor
  }

  private document(): Document {
    const last = this.tensors.at(-1)
    const heads: Record<string, unknown> = { main: { task: 'any', from: last?.ref } }
    if (this.random.chance(0.2)) heads.aux = { task: 'any', from: this.random.pick([...this.nodes.keys()]) }
    const { document, problems } = readDocument({
      dripe: 1,
      name: 'random',
      task: 'any',
      inputs: Object.fromEntries([...this.inputs].map(([name, type]) => [name, inputOf(type)])),
      nodes: Object.fromEntries([...this.nodes].map(([id, node]) => [id, nodeOf(node)])),
      heads,
    })
    if (document === null) throw new Error(JSON.stringify(problems))
    return document
  }
}

function nodeOf({ op, in: refs, given, repeat, share }: MadeNode): Record<string, unknown> {
  return {
    op,
    in: refs,
    ...Object.fromEntries(given),
    ...(repeat === undefined ? {} : { repeat }),
    ...(share === undefined ? {} : { share }),
  }
}

function inputOf(type: TensorType): Record<string, unknown> {
  if (type.k === 'vec') return { kind: 'vec', channels: type.c }
  if (type.k === 'seq') return { kind: 'seq', channels: type.c, size: [type.n] }
  return { kind: ['signal', 'image', 'volume'][type.s.length - 1], channels: type.c, size: type.s }
}

function fits(entry: OpEntry, allowed: string, type: TensorType): boolean {
  return allowed.includes(type.k) && (type.k !== 'map' || entry.ranks?.includes(type.s.length) !== false)
}

function rankOf(type: TensorType): number {
  return type.k === 'map' ? type.s.length : 0
}
