/** Repairs of layers that cannot take what arrives: other kinds, other sizes, other numbers of channels. */
import { changeNode, swapOp } from '../edit/edit.ts'
import { withNode } from '../edit/graph.ts'
import { portsOf, refsOf } from '../edit/slots.ts'
import type { TensorType } from '../resolve/plan.ts'
import { product, sizesOf } from '../resolve/rules.ts'
import { convert, insert, reshape } from './insert.ts'
import type { Candidate } from './kinds.ts'
import {
  type Edge,
  edgeAt,
  editable,
  type FixContext,
  type Input,
  inputsAtNode,
  type Level,
  orderOf,
  placeOf,
  sourcesFor,
  type Target,
  typeOfRef,
} from './place.ts'
import { divisorsNear, setParam } from './set.ts'
import { workingSize } from './size.ts'
import { connectNearest, removeLayer } from './wire.ts'

/** A picture where a list of numbers belongs, and so on. */
export function* wrongKind(context: FixContext): Generator<Candidate> {
  const { problem, levels, document } = context
  const { expected, got } = problem.data
  const inputs = inputsAtNode(context, levels)
  const wrong = inputs.find(
    ({ type, port }) => type?.k === got && (problem.port === null || port === null || port === problem.port),
  )
  const edge = wrong === undefined ? null : edgeAt(context, levels, wrong.slot)
  if (edge !== null && wrong?.type !== undefined && isKind(expected)) {
    yield* keepPicture(context, edge, expected)
    const maps = sourcesFor(context, edge.levels).filter(({ type }) => type.k === 'map')
    const rank = rankOf(
      maps.map(({ type }) => type),
      document.inputs.values().next().value?.size?.length,
    )
    yield* convert(context, placeOf(edge), { type: wrong.type, wanted: expected, rank, maps })
  }
  if (wrong !== undefined) yield* connectNearest(context, wrong.slot)
  yield* removeLayer(context)
}

/** A global average just before can leave the picture a picture. */
function* keepPicture(
  { document, vocabulary }: FixContext,
  edge: Edge,
  expected: string,
): Generator<Candidate> {
  const { scope, nodes } = edge.level
  const ref = edge.input.ref ?? ''
  const source = nodes.get(ref)
  const hasKeep = source !== undefined && vocabulary.catalogue.get(source.op)?.params.has('keep') === true
  if (expected !== 'map' || !hasKeep) return
  const patched = changeNode(document, scope, ref, { params: new Map([['keep', true]]) })
  yield { kind: 'keep_picture', data: { node: ref }, document: patched }
}

/** Sums, products and joins of tensors that are not alike: the older one is brought to the shape of the newer one. */
export function* unlikeInputs(context: FixContext): Generator<Candidate> {
  const { problem, levels, document, vocabulary } = context
  const last = levels.at(-1)
  const edges = inputsAtNode(context, levels).map(({ slot }) => edgeAt(context, levels, slot))
  const known = edges.flatMap((edge) => (edge?.input.type === undefined ? [] : [edge]))
  if (known.length === edges.length && known.length > 1) {
    const ordered = [...known].sort((a, b) => orderOf(b.level, refOf(b)) - orderOf(a.level, refOf(a)))
    for (const main of problem.code === 'sizes_differ' ? bySize(ordered) : ordered.slice(0, 2)) {
      yield* alike(context, main, known)
    }
  }
  if (last?.scope !== undefined && problem.code === 'shapes_differ' && last.node.op !== 'concat') {
    const kinds = new Set(known.map(({ input }) => input.type?.k))
    const patched = swapOp(document, last.scope, last.id, 'concat', vocabulary)
    if (kinds.size === 1) yield { kind: 'use_concat', data: { node: last.id }, document: patched }
  }
  if (problem.code === 'sizes_differ') yield* workingSize(context)
  yield* removeLayer(context)
}

/** Brings every other input to the shape of `main`; one layer is offered in several ways, several in the first way. */
function* alike(context: FixContext, main: Edge, edges: readonly Edge[]): Generator<Candidate> {
  const wanted = main.input.type
  if (wanted === undefined) return
  const isJoin = context.problem.code === 'sizes_differ'
  const others = edges.filter((edge) => edge !== main && !isAlike(edge.input.type, wanted, isJoin))
  const [first, ...more] = others
  if (first?.input.type === undefined) return
  const ways = (inside: FixContext, edge: Edge): Generator<Candidate> => {
    const type = edge.input.type ?? wanted
    const target = isJoin ? { ...wanted, c: type.c } : wanted
    return adapt(inside, edge, { type, wanted: target, reference: refOf(main), isJoin })
  }
  for (const candidate of ways(context, first)) {
    let document = candidate.document
    for (const edge of more) {
      const next = ways({ ...context, document }, edge).next()
      if (next.done !== true) document = next.value.document
    }
    yield { ...candidate, document }
  }
}

function* adapt(
  context: FixContext,
  edge: Edge,
  { isJoin, ...shape }: { type: TensorType; wanted: TensorType; reference: string; isJoin: boolean },
): Generator<Candidate> {
  const place = placeOf(edge)
  yield* reshape(context, place, shape)
  const [sizes, target] = [sizesOf(shape.type), sizesOf(shape.wanted)]
  const isLarger = sizes.length > 0 && sizes.every((size, k) => size >= (target[k] ?? Infinity))
  if (!isJoin || !isLarger) return
  const layer = { op: 'crop_like', reference: shape.reference }
  yield* insert(context, place, [layer], { kind: 'insert_crop_like', data: { size: target.join('×') } })
}

/** The largest picture first, so that nothing is lost; then the smallest. */
function bySize(edges: readonly Edge[]): Edge[] {
  const area = ({ input }: Edge) => (input.type === undefined ? 0 : product(sizesOf(input.type)))
  const sorted = [...edges].sort((a, b) => area(b) - area(a))
  return [...sorted.slice(0, 1), ...sorted.slice(-1)]
}

function isAlike(type: TensorType | undefined, wanted: TensorType, isJoin: boolean): boolean {
  if (type === undefined) return false
  return JSON.stringify(isJoin ? { ...type, c: wanted.c } : type) === JSON.stringify(wanted)
}

/** A shape that does not hold as many numbers as there are. */
export function* otherCount(context: FixContext): Generator<Candidate> {
  const { levels } = context
  const last = levels.at(-1)
  const type = inputsAtNode(context, levels)[0]?.type
  if (last?.node.op === 'to_map' && type?.k === 'vec') {
    const size = last.node.params.get('size')
    const numbers = Array.isArray(size) ? size.map(Number) : [4, 4]
    if (type.c % product(numbers) === 0)
      yield* setParam(context, levels, 'channels', type.c / product(numbers))
    const channels = Number(last.node.params.get('channels') ?? 64)
    const side = Math.round((type.c / channels) ** (1 / numbers.length))
    yield* setParam(context, levels, 'size', new Array<number>(numbers.length).fill(Math.max(1, side)))
  }
  const edge = edgeAt(context, levels, 0)
  if (edge !== null && last?.node.op === 'to_map') {
    const size = last.node.params.get('size')
    const channels = Number(last.node.params.get('channels') ?? 64)
    const count = channels * product(Array.isArray(size) ? size.map(Number) : [4, 4])
    const layer = { op: 'linear', params: { out: count } }
    yield* insert(context, placeOf(edge), [layer], { kind: 'insert_linear', data: { channels: count } })
  }
  const slots =
    last === undefined ? 0 : portsOf(last.node.op, context.document, context.vocabulary).names.length
  if (slots > 1) yield* connectNearest(context, 1)
  yield* removeLayer(context)
}

/** Pictures of another number of axes than the layer can take. */
export function* otherRank(context: FixContext): Generator<Candidate> {
  const { levels, document, problem } = context
  const last = editable(levels).at(-1)
  if (problem.code === 'cubic_2d') yield* setParam(context, levels, 'mode', 'linear')
  if (problem.code === 'rank_differs') {
    yield* connectNearest(context, 1)
    yield* connectNearest(context, 0)
  }
  if (last?.scope !== undefined && last.node.op === 'window_attention') {
    const [ref] = refsOf(last.node)
    const params = new Map([...last.node.params].filter(([name]) => name === 'heads' || name === 'qkvbias'))
    const attention = withNode(document, last.scope, last.id, { ...last.node, op: 'attention', params })
    const type = typeOfRef(context, levels, ref ?? null)
    if (ref !== undefined && type !== undefined) {
      yield* tokenAttention({ ...context, document: attention }, last, ref)
    }
  }
  yield* removeLayer(context)
}

/** To tokens, attention, and back to the picture for whoever reads it. */
function* tokenAttention(context: FixContext, level: Level, ref: string): Generator<Candidate> {
  const { document } = context
  const scope = level.scope ?? null
  const readers = [...level.nodes].find(([, node]) => refsOf(node).includes(level.id))
  const place = { scope, target: level.id, slot: 0 }
  const [there] = insert(context, place, [{ op: 'to_tokens' }], { kind: 'use_token_attention', data: {} })
  if (there === undefined) return
  if (readers === undefined) {
    yield* backToPicture(
      { ...context, document: there.document },
      { scope, target: 'heads.main', slot: 0 },
      ref,
    )
    return
  }
  const slot = refsOf(readers[1]).indexOf(level.id)
  if (document !== there.document) {
    yield* backToPicture({ ...context, document: there.document }, { scope, target: readers[0], slot }, ref)
  }
}

function* backToPicture(context: FixContext, place: Target, reference: string): Generator<Candidate> {
  const layer = { op: 'tokens_to_map', reference }
  yield* insert(context, place, [layer], { kind: 'use_token_attention', data: {} })
}

/** A picture that is smaller than the part to be cut out of it. */
export function* cropBigger(context: FixContext): Generator<Candidate> {
  const { levels, document, vocabulary } = context
  const last = levels.at(-1)
  if (last?.scope !== undefined) {
    const swapped = swapOp(document, last.scope, last.id, 'resize_like', vocabulary)
    yield { kind: 'use_resize_like', data: {}, document: swapped }
    const inputs = [...refsOf(last.node)].reverse()
    const turned = withNode(document, last.scope, last.id, { ...last.node, in: inputs })
    yield { kind: 'swap_inputs', data: {}, document: turned }
  }
  yield* removeLayer(context)
}

/** A norm of a single number: always 0. */
export function* onePixel(context: FixContext): Generator<Candidate> {
  const { levels, document, vocabulary } = context
  const last = levels.at(-1)
  const channels = inputsAtNode(context, levels)[0]?.type?.c
  if (last?.node.op === 'gn') yield* setParam(context, levels, 'groups', 1)
  yield* removeLayer(context)
  if (last?.scope === undefined || channels === undefined || last.node.op === 'gn') return
  const swapped = swapOp(document, last.scope, last.id, 'gn', vocabulary)
  for (const groups of divisorsNear([channels], Math.min(8, channels / 2))) {
    const patched = changeNode(swapped, last.scope, last.id, { params: new Map([['groups', groups]]) })
    yield { kind: 'use_group_norm', data: { groups }, document: patched }
  }
}

function isKind(value: unknown): value is TensorType['k'] {
  return value === 'map' || value === 'vec' || value === 'seq'
}

function rankOf(types: readonly TensorType[], designed: number | undefined): number {
  const first = types.find(({ k }) => k === 'map')
  return first === undefined ? (designed ?? 2) : sizesOf(first).length
}

function refOf({ input }: Pick<Edge, 'input'> & { input: Input }): string {
  return input.ref ?? ''
}
