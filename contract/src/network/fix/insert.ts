/** Repairs that put a layer into an edge, so that what arrives is what the next layer takes. */
import type { Document, ParamValue } from '../document/document.ts'
import { changeNode, connect, insertOnEdge } from '../edit/edit.ts'
import type { TensorType } from '../resolve/plan.ts'
import type { ProblemData } from '../resolve/problems.ts'
import { product, sizesOf } from '../resolve/rules.ts'
import type { Candidate, FixKind } from './kinds.ts'
import type { FixContext, Target } from './place.ts'

export interface Layer {
  op: string
  params?: Readonly<Record<string, ParamValue>>
  /** What its second input reads. */
  reference?: string
}

/** Splits the edge with some layers, the first one nearest to the source; null when there is no room. */
export function insertLayers(
  document: Document,
  place: Target,
  layers: readonly Layer[],
  { vocabulary }: FixContext,
): Document | null {
  let result = document
  const { scope } = place
  for (const { op, params = {}, reference } of layers) {
    const added = insertOnEdge(result, scope, place, op, vocabulary)
    if (added.id === '') return null
    result = changeNode(added.document, scope, added.id, { params: new Map(Object.entries(params)) })
    if (reference === undefined) continue
    const wired = { source: reference, target: added.id, slot: 1 }
    result = connect(result, scope, wired, vocabulary)
  }
  return result
}

export function* insert(
  context: FixContext,
  place: Target,
  layers: readonly Layer[],
  { kind, data }: { kind: FixKind; data: ProblemData },
): Generator<Candidate> {
  const document = insertLayers(context.document, place, layers, context)
  if (document !== null) yield { kind, data, document }
}

/** Layers that make one kind of data out of another. */
export function* convert(
  context: FixContext,
  place: Target,
  { type, wanted, rank, maps }: Conversion,
): Generator<Candidate> {
  const way = `${type.k} to ${wanted}`
  if (way === 'map to vec') {
    yield* insert(context, place, [{ op: 'globalavg' }], {
      kind: 'insert_globalavg',
      data: { count: type.c },
    })
    const count = type.c * product(sizesOf(type))
    yield* insert(context, place, [{ op: 'flatten' }], { kind: 'insert_flatten', data: { count } })
  } else if (way === 'map to seq') {
    const count = product(sizesOf(type))
    yield* insert(context, place, [{ op: 'to_tokens' }], { kind: 'insert_to_tokens', data: { count } })
  } else if (way === 'seq to vec') {
    const mean = { kind: 'insert_mean_tokens', data: { count: type.c } } as const
    yield* insert(context, place, [{ op: 'mean_tokens' }], mean)
    const count = type.c * (type.k === 'seq' ? type.n : 1)
    yield* insert(context, place, [{ op: 'flatten' }], { kind: 'insert_flatten', data: { count } })
  } else if (way === 'seq to map' && type.k === 'seq') {
    const fitting = maps.find((map) => product(sizesOf(map.type)) === type.n)
    if (fitting === undefined) return
    const layer = { op: 'tokens_to_map', reference: fitting.ref }
    const size = sizesOf(fitting.type).join('×')
    yield* insert(context, place, [layer], { kind: 'insert_tokens_to_map', data: { size } })
  } else if (way === 'vec to map') {
    for (const side of [4, 2, 1]) {
      const size = new Array<number>(rank).fill(side)
      if (type.c % product(size) !== 0) continue
      const channels = type.c / product(size)
      const shape = [channels, ...size].join('×')
      const layer = { op: 'to_map', params: { channels, size } }
      yield* insert(context, place, [layer], { kind: 'insert_to_map', data: { shape } })
    }
  }
}

interface Conversion {
  type: TensorType
  wanted: TensorType['k']
  /** Axes of the pictures around. */
  rank: number
  /** Pictures whose places a sequence may be laid back to. */
  maps: readonly { ref: string; type: TensorType }[]
}

/** Layers after which a tensor has the shape of another one, cheapest first. */
export function* reshape(
  context: FixContext,
  place: Target,
  { type, wanted, reference }: { type: TensorType; wanted: TensorType; reference: string },
): Generator<Candidate> {
  if (type.k !== wanted.k) return
  const channels = { kind: 'insert_conv', data: { channels: wanted.c } } as const
  if (type.k !== 'map') {
    if (type.c === wanted.c) return
    const layer = { op: 'linear', params: { out: wanted.c } }
    yield* insert(context, place, [layer], { kind: 'insert_linear', data: { channels: wanted.c } })
    return
  }
  const [sizes, target] = [sizesOf(type), sizesOf(wanted)]
  if (sizes.length !== target.length) return
  const conv = { op: 'conv', params: { out: wanted.c, kernel: 1 } }
  const like = { op: 'resize_like', reference }
  const size = target.join('×')
  if (sizes.join() === target.join()) {
    yield* insert(context, place, [conv], channels)
    return
  }
  const stride = strideBetween(sizes, target)
  const resized = { kind: 'insert_resize_like', data: { size } } as const
  if (type.c === wanted.c) yield* insert(context, place, [like], resized)
  if (stride !== null) {
    const layer = { op: 'conv', params: { ...conv.params, stride } }
    yield* insert(context, place, [layer], channels)
  }
  if (type.c !== wanted.c) yield* insert(context, place, [conv, like], resized)
}

/** The step by which a picture shrinks to the other one, the same on every axis. */
function strideBetween(sizes: readonly number[], target: readonly number[]): number | null {
  const stride = Math.ceil((sizes[0] ?? 1) / (target[0] ?? 1))
  const fits = sizes.every((size, k) => Math.floor((size - 1) / stride) + 1 === target[k])
  return fits && stride > 1 && stride <= 16 ? stride : null
}
