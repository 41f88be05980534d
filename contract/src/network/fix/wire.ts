/** Repairs that change what is connected to what, or take a layer away. */
import { changeNode, connect, disconnect, removeNodes, swapOp } from '../edit/edit.ts'
import { setHead } from '../edit/frame.ts'
import { mapSource, withNode } from '../edit/graph.ts'
import { mapRefs, portsOf, refsOf, slotsOf } from '../edit/slots.ts'
import { nearestName } from '../nearest.ts'
import { baseOf } from '../resolve/order.ts'
import { insertLayers } from './insert.ts'
import type { Candidate } from './kinds.ts'
import { editable, type FixContext, inputsAtNode, type Level, orderOf, sourcesFor } from './place.ts'

/** Sources tried for one open input: those that fit stand close by, or there are none. */
const mostSources = 6

/** Takes the problem's layer away, or the use of the library block around it. */
export function* removeLayer({ document, levels, vocabulary }: FixContext): Generator<Candidate> {
  const last = editable(levels).at(-1)
  if (last?.scope === undefined) return
  const patched = removeNodes(document, last.scope, [last.id], vocabulary)
  yield { kind: 'remove_layer', data: { node: last.id }, document: patched }
}

/** Connects an input to what stands nearest above and fits. */
export function* connectNearest(context: FixContext, slot: number): Generator<Candidate> {
  const { document, levels, vocabulary } = context
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  const now = new Set(refsOf(last.node))
  const kinds = kindsAt(context, last, slot)
  const sources = sourcesFor(context, levels).filter(
    ({ ref, type }) => !now.has(ref) && kinds.includes(type.k),
  )
  const [other] = inputsAtNode(context, levels).flatMap(({ type, slot: k }) =>
    k === slot ? [] : (type ?? []),
  )
  const isTwin = (source: (typeof sources)[number]) => JSON.stringify(source.type) === JSON.stringify(other)
  const ordered = [...sources.filter(isTwin), ...sources.filter((source) => !isTwin(source))]
  for (const { ref } of ordered.slice(0, mostSources)) {
    const wired = { source: ref, target: last.id, slot }
    yield {
      kind: 'connect',
      data: { source: ref },
      document: connect(document, last.scope, wired, vocabulary),
    }
  }
}

function kindsAt({ document, vocabulary }: FixContext, { node }: Level, slot: number): string[] {
  const all = ['map', 'vec', 'seq']
  if (document.blocks.has(node.op) || vocabulary.std.has(node.op)) return all
  const ports = vocabulary.catalogue.get(node.op)?.in ?? []
  const port = ports[0]?.many === undefined ? ports[slot] : ports[0]
  return port?.kinds.split('|') ?? all
}

export function* openInput(context: FixContext): Generator<Candidate> {
  const { problem } = context
  const inputs = inputsAtNode(context, context.levels)
  const open = inputs.find(
    ({ port, ref }) => ref === null && (problem.port === null || port === problem.port),
  )
  if (open !== undefined) yield* connectNearest(context, open.slot)
  yield* removeLayer(context)
}

/** Too few inputs: one more. Too many: brought together first, or left out. */
export function* inputCount(context: FixContext): Generator<Candidate> {
  const { problem, levels, document, vocabulary } = context
  const { least, most, count } = problem.data
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  if (Number(count) < Number(least)) {
    yield* connectNearest(context, Number(count))
    yield* removeLayer(context)
    return
  }
  const refs = refsOf(last.node)
  const kept = { ...last.node, in: refs.slice(0, Number(most)) }
  if (most === 1) {
    const place = { scope: last.scope, target: last.id, slot: 0 }
    for (const [op, kind] of [
      ['concat', 'insert_concat'],
      ['add', 'insert_add'],
    ] as const) {
      const one = withNode(document, last.scope, last.id, { ...kept, in: [] })
      const joined = insertLayers(one, place, [{ op }], context)
      const id = joined === null ? undefined : newNode(joined, last)
      if (joined === null || id === undefined) continue
      const wired = refs.reduce(
        (next, source, slot) => connect(next, last.scope ?? null, { source, target: id, slot }, vocabulary),
        joined,
      )
      yield { kind, data: { count: refs.length }, document: wired }
    }
  }
  const patched = withNode(document, last.scope, last.id, kept)
  yield { kind: 'keep_inputs', data: { most: Number(most) }, document: patched }
}

/** The id that the last edit added to the problem's graph. */
function newNode(document: FixContext['document'], level: Level): string | undefined {
  const nodes = level.scope === null ? document.nodes : document.blocks.get(level.scope ?? '')?.nodes
  return [...(nodes?.keys() ?? [])].find((id) => !level.nodes.has(id))
}

/** A name that nothing has: what was meant, or what stands near. */
export function* unknownReference(context: FixContext): Generator<Candidate> {
  const { problem, document, levels, vocabulary } = context
  const { ref, nearest } = problem.data
  if (typeof ref !== 'string') return
  if (problem.node.startsWith('heads.')) {
    yield* unknownOutlet(context, ref)
    return
  }
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  if (last.node.share === ref) {
    const others = [...last.nodes].filter(([id, { op }]) => id !== last.id && op === last.node.op)
    const share = nearestName(
      ref,
      others.map(([id]) => id),
    )
    if (share !== null) {
      const patched = changeNode(document, last.scope, last.id, { share })
      yield { kind: 'connect', data: { source: share }, document: patched }
    }
    yield* ownWeights(context)
    return
  }
  const better = typeof nearest === 'string' ? nearest + ref.slice(baseOf(ref).length) : null
  if (better !== null && problem.code === 'unknown_ref') yield* replaceRef(context, ref, better)
  const slot = inputsAtNode(context, levels).find((input) => input.ref === ref)?.slot
  if (slot !== undefined) yield* connectNearest(context, slot)
  if (slot !== undefined && portsOf(last.node.op, document, vocabulary).kind === 'list') {
    const cut = disconnect(document, last.scope, { target: last.id, slot }, vocabulary)
    yield { kind: 'cut', data: { source: ref, target: last.id }, document: cut }
  }
  yield* removeLayer(context)
}

function* replaceRef({ document, levels }: FixContext, ref: string, next: string): Generator<Candidate> {
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  const node = mapRefs(last.node, (old) => (old === ref ? next : old))
  yield { kind: 'connect', data: { source: next }, document: withNode(document, last.scope, last.id, node) }
}

/** A head that reads what is not there. */
function* unknownOutlet({ problem, document }: FixContext, ref: string): Generator<Candidate> {
  const { nearest } = problem.data
  const [, name = ''] = problem.node.split('.')
  const head = document.heads.get(name)
  if (head === undefined) return
  const base = baseOf(ref)
  const meant = typeof nearest === 'string' ? nearest : null
  const last = [...document.nodes.keys()].at(-1)
  const inPort = problem.code === 'unknown_port'
  const sources = inPort ? [meant === null ? null : `${base}.${meant}`, base] : [meant, last]
  for (const source of sources) {
    if (source === null || source === undefined) continue
    const from = mapSource(head.from, (old) => (old === ref ? source : old))
    yield { kind: 'connect', data: { source }, document: setHead(document, name, { ...head, from }) }
  }
  if (document.heads.size > 1) {
    yield { kind: 'remove_head', data: { head: name }, document: setHead(document, name, null) }
  }
}

/** `a.left` where `a` has no such output, or a name that is no input of the layer. */
export function* unknownPort(context: FixContext): Generator<Candidate> {
  const { problem, levels, document, vocabulary } = context
  const { ref, port, nearest } = problem.data
  const last = levels.at(-1)
  if (problem.node.startsWith('heads.')) yield* unknownOutlet(context, String(ref))
  if (last?.scope === undefined || typeof ref !== 'string' || typeof port !== 'string') return
  if (ref !== port) {
    if (typeof nearest === 'string') yield* replaceRef(context, ref, `${baseOf(ref)}.${nearest}`)
    yield* replaceRef(context, ref, baseOf(ref))
    return
  }
  const inputs = last.node.in
  if (!(inputs instanceof Map)) return
  const source = inputs.get(port) ?? ''
  const { names } = portsOf(last.node.op, document, vocabulary)
  const free = names.filter((name) => !inputs.has(name))
  for (const name of [nearest, ...free]) {
    if (typeof name !== 'string' || !free.includes(name)) continue
    const renamed = new Map([...inputs].map(([key, value]) => [key === port ? name : key, value]))
    const patched = withNode(document, last.scope, last.id, { ...last.node, in: renamed })
    yield { kind: 'connect', data: { source }, document: patched }
  }
  const others = new Map([...inputs].filter(([key]) => key !== port))
  const patched = withNode(document, last.scope, last.id, { ...last.node, in: others })
  yield { kind: 'cut', data: { source, target: last.id }, document: patched }
}

/** An operation that nobody knows. */
export function* unknownOp(context: FixContext): Generator<Candidate> {
  const { problem, document, levels, vocabulary } = context
  const { nearest } = problem.data
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  if (typeof nearest === 'string') {
    const named = withNode(document, last.scope, last.id, { ...last.node, op: nearest })
    yield { kind: 'use_op', data: { op: nearest }, document: named }
    const fitting = swapOp(document, last.scope, last.id, nearest, vocabulary)
    yield { kind: 'use_op', data: { op: nearest }, document: fitting }
  }
  yield* removeLayer(context)
}

/** Opens the loop at the edge that leads back, and reads what stands above instead. */
export function* cutLoop(context: FixContext): Generator<Candidate> {
  const { problem, document, vocabulary, levels } = context
  const loop = String(problem.data.loop).split(' → ')
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  const edges = loop.slice(1).map((target, k) => ({ source: loop[k] ?? '', target }))
  // Written `a → b`: a reads b. The newest edge is the one that reads what stands furthest below.
  const backward = edges
    .map(({ source: reader, target: read }) => ({
      reader,
      read,
      span: orderOf(last, read) - orderOf(last, reader),
    }))
    .sort((a, b) => b.span - a.span)
  for (const { reader, read } of backward) {
    const node = last.nodes.get(reader)
    if (node === undefined) continue
    const slots = slotsOf(node, portsOf(node.op, document, vocabulary))
    const slot = slots.findIndex(({ ref }) => ref !== null && baseOf(ref) === read)
    if (slot < 0) continue
    const place = { target: reader, slot }
    const cut = disconnect(document, last.scope, place, vocabulary)
    yield { kind: 'cut', data: { source: read, target: reader }, document: cut }
    const names = [...last.ports, ...last.nodes.keys()]
    const above = names.slice(0, names.indexOf(reader)).reverse().slice(0, mostSources)
    for (const source of above) {
      const wired = connect(cut, last.scope, { ...place, source }, vocabulary)
      if (wired !== cut) yield { kind: 'connect', data: { source }, document: wired }
    }
  }
  yield* removeLayer(context)
}

function* ownWeights({ document, levels }: FixContext): Generator<Candidate> {
  const last = editable(levels).at(-1)
  if (last?.scope === undefined || last.node.share === undefined) return
  const patched = changeNode(document, last.scope, last.id, { share: undefined })
  yield { kind: 'own_weights', data: { node: last.id }, document: patched }
}

/** Shared weights ask for the same settings. */
export function* shareDiffers(context: FixContext): Generator<Candidate> {
  const { document, levels } = context
  const last = editable(levels).at(-1)
  const owner = last?.nodes.get(last.node.share ?? '')
  if (last?.scope === undefined) return
  if (owner !== undefined && owner.op === last.node.op) {
    const copied = withNode(document, last.scope, last.id, { ...last.node, params: new Map(owner.params) })
    yield { kind: 'copy_settings', data: { share: last.node.share ?? '' }, document: copied }
  }
  yield* ownWeights(context)
}
