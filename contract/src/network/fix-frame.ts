/** Repairs around the layers: heads, inputs, what the data asks for, formulas, and networks that are too large. */
import type { Document, DocumentInput, Head, Node, ParamValue } from './document.ts'
import { addNode, changeNode } from './edit.ts'
import { connectHead, headOutlets, setHead, setInput, setKnob } from './edit-frame.ts'
import { mapRefs } from './edit-slots.ts'
import { convert, insert, type Layer, type Target } from './fix-insert.ts'
import type { Candidate } from './fix-kinds.ts'
import { type FixContext, type Level, typeOfRef } from './fix-place.ts'
import { reset, setDefault, setParam, setRepeat, sourceOf } from './fix-set.ts'
import { setterOf } from './fix-shape.ts'
import { removeLayer } from './fix-wire.ts'
import type { TensorType } from './plan.ts'

interface Outlet {
  name: string
  outlet: string
  head: Head
  place: Target
  ref: string
  type: TensorType | undefined
  levels: readonly Level[]
}

/** The outlet of a head that the problem names (`heads.main`, `heads.main.0.cls`). */
function outletOf(context: FixContext): Outlet | null {
  const { document, problem } = context
  const [, name = '', ...rest] = problem.node.split('.')
  const head = document.heads.get(name)
  const outlets = head === undefined ? [] : headOutlets(head)
  const slot = Math.max(
    0,
    outlets.findIndex(({ outlet }) => outlet === rest.join('.')),
  )
  const ref = outlets[slot]?.ref
  if (head === undefined || ref === undefined) return null
  const levels = topLevel(document)
  return {
    name,
    outlet: outlets[slot]?.outlet ?? '',
    head,
    place: { scope: null, target: `heads.${name}`, slot },
    ref,
    type: typeOfRef(context, levels, ref),
    levels,
  }
}

function topLevel({ nodes, inputs, params }: Document): Level[] {
  const [id, node] = [...nodes].at(-1) ?? ['', { op: '', params: new Map() }]
  return [{ scope: null, nodes, ports: [...inputs.keys()], params, id, node, prefix: '', copy: null }]
}

export function* headKind(context: FixContext): Generator<Candidate> {
  const outlet = outletOf(context)
  const { document, before, problem } = context
  const { expected } = problem.data
  if (outlet?.type === undefined || (expected !== 'vec' && expected !== 'map')) return
  const { place, type, head, name } = outlet
  const maps = mapsOf(context)
  const rank = pictureOf(context)?.s.length ?? 2
  yield* convert(context, place, { type, wanted: expected, rank, maps })
  yield* outputLayers(context, place, { type, task: head.task })
  yield* fittingSources(context, outlet, expected)
  if (expected !== 'map') return
  const inputs = [...document.inputs.keys()].flatMap((ref) => {
    const input = before.types.get(`@${ref}`)
    return input?.k === 'map' ? [{ ref, type: input }] : []
  })
  for (const map of [...maps, ...inputs].slice(0, 2)) {
    const patched = connectHead(document, { head: name, outlet: outlet.outlet, source: map.ref })
    yield* outputLayers({ ...context, document: patched }, place, { type: map.type, task: head.task })
  }
}

/** Other layers that give what the head asks for, the last one first. */
function* fittingSources(
  { document, before }: FixContext,
  { name, outlet, ref }: Outlet,
  kind: string,
): Generator<Candidate> {
  for (const source of [...document.nodes.keys()].reverse()) {
    if (source === ref || before.types.get(source)?.k !== kind) continue
    yield {
      kind: 'connect',
      data: { source },
      document: connectHead(document, { head: name, outlet, source }),
    }
  }
}

/** Layers that end a network: one number a class, or one picture a class as large as the input. */
function* outputLayers(
  context: FixContext,
  place: Target,
  { type, task }: { type: TensorType; task: string },
): Generator<Candidate> {
  const classes = classesOf(context)
  const picture = pictureOf(context)
  const layers: Layer[] = []
  if (task === 'classification') {
    if (type.k === 'map') layers.push({ op: 'globalavg' })
    if (type.k === 'seq') layers.push({ op: 'mean_tokens' })
    layers.push({ op: 'linear', params: { out: classes.written } })
  } else if (task === 'segmentation' && type.k === 'map' && picture !== undefined) {
    layers.push({ op: 'conv', params: { out: classes.written, kernel: 1 } })
    if (type.s.join() !== picture.s.join()) layers.push({ op: 'resize_like', reference: picture.name })
  }
  const data = { classes: classes.count }
  if (layers.length > 0) yield* insert(context, place, layers, { kind: 'add_output_layer', data })
}

/** How many classes there are: of the data, else the network's own parameter. */
function classesOf({ document, options }: FixContext): { written: ParamValue; count: number } {
  const knob = [...document.params].find(([name, { role }]) => role === 'classes' || name === 'classes')
  const count = options.data?.classes ?? (typeof knob?.[1].default === 'number' ? knob[1].default : 2)
  return { written: knob === undefined ? count : `=${knob[0]}`, count }
}

function pictureOf({ document, before }: FixContext): { name: string; s: readonly number[] } | undefined {
  for (const name of document.inputs.keys()) {
    const type = before.types.get(`@${name}`)
    if (type?.k === 'map') return { name, s: type.s }
  }
  return undefined
}

function mapsOf({ document, before }: FixContext): { ref: string; type: TensorType }[] {
  return [...document.nodes.keys()].reverse().flatMap((ref) => {
    const type = before.types.get(ref)
    return type?.k === 'map' ? [{ ref, type }] : []
  })
}

/** No head, or one that reads nothing: the last layer, with an output layer where the task needs one. */
export function* noHead(context: FixContext): Generator<Candidate> {
  const { document, problem, before } = context
  const [, name = 'main'] = problem.node.split('.')
  const used = new Set([...document.nodes.values()].flatMap((node) => collect(node)))
  const ids = [...document.nodes.keys()].reverse()
  const ends = [...ids.filter((id) => !used.has(id)), ...ids].slice(0, 3)
  const old = document.heads.get(name)
  for (const source of new Set(ends)) {
    const head: Head = { ...old, task: old?.task ?? document.task, from: source }
    const patched = setHead(document, name, head)
    yield { kind: 'add_head', data: { source }, document: patched }
    const type = before.types.get(source)
    if (type === undefined) continue
    const place = { scope: null, target: `heads.${name}`, slot: 0 }
    yield* outputLayers({ ...context, document: patched }, place, { type, task: head.task })
  }
  if (old !== undefined && document.heads.size > 1) yield* removeHead(document, name)
}

function collect(node: Node): string[] {
  const refs: string[] = []
  mapRefs(node, (ref) => {
    refs.push(ref)
    return ref
  })
  return refs
}

function* removeHead(document: Document, head: string): Generator<Candidate> {
  yield { kind: 'remove_head', data: { head }, document: setHead(document, head, null) }
}

/** As many numbers as the data has classes. */
export function* headClasses(context: FixContext): Generator<Candidate> {
  const { document, problem } = context
  const outlet = outletOf(context)
  const classes = Number(problem.data.classes)
  if (outlet?.type === undefined) return
  const { levels, ref, type, place } = outlet
  const setter = setterOf(context, levels, ref)
  if (setter !== null) {
    const knob = sourceOf(setter.level.node.params.get(setter.param))
    const spec = knob === null ? undefined : document.params.get(knob)
    if (knob !== null && spec !== undefined) {
      const patched = setKnob(document, knob, { ...spec, default: classes, role: 'classes' })
      yield { kind: 'set_knob', data: { param: knob, value: classes }, document: patched }
    }
    yield* setParam(context, setter.levels, setter.param, classes)
  }
  const data = { channels: classes }
  const isPicture = type.k === 'map'
  const layer = isPicture
    ? { op: 'conv', params: { out: classes, kernel: 1 } }
    : { op: 'linear', params: { out: classes } }
  yield* insert(context, place, [layer], { kind: isPicture ? 'insert_conv' : 'insert_linear', data })
}

export function* headSize(context: FixContext): Generator<Candidate> {
  const outlet = outletOf(context)
  const picture = pictureOf(context)
  if (outlet === null || picture === undefined) return
  const layer = { op: 'resize_like', reference: picture.name }
  const data = { size: picture.s.join('×') }
  yield* insert(context, outlet.place, [layer], { kind: 'resize_result', data })
  yield* fittingSources(context, outlet, 'map')
}

/** Pictures with another number of channels than the network takes. */
export function* dataChannels(context: FixContext): Generator<Candidate> {
  const { document, problem, vocabulary } = context
  const name = problem.node.slice(1)
  const input = document.inputs.get(name)
  const channels = Number(problem.data.channels)
  if (input === undefined) return
  const knob = typeof input.channels === 'string' ? sourceOf(input.channels) : null
  const spec = knob === null ? undefined : document.params.get(knob)
  if (knob !== null && spec !== undefined) {
    const patched = setKnob(document, knob, { ...spec, default: channels, role: 'channels' })
    yield { kind: 'set_knob', data: { param: knob, value: channels }, document: patched }
  }
  const patched = setInput(document, name, { ...input, channels })
  yield { kind: 'set_input_channels', data: { input: name, channels }, document: patched }
  const expected = Number(problem.data.expected)
  if (channels !== 1 || expected > 16) return
  const inputs = new Array<string>(expected).fill(name)
  const copies = addNode(patched, null, { op: 'concat', inputs, id: 'grey' }, vocabulary)
  const nodes = new Map<string, Node>()
  const copy = copies.document.nodes.get(copies.id)
  if (copies.id === '' || copy === undefined) return
  nodes.set(copies.id, copy)
  for (const [id, node] of patched.nodes) {
    nodes.set(
      id,
      mapRefs(node, (ref) => (ref === name ? copies.id : ref)),
    )
  }
  yield { kind: 'repeat_grey', data: { channels: expected }, document: { ...copies.document, nodes } }
}

const kindByRank: Record<number, DocumentInput['kind']> = { 1: 'signal', 2: 'image', 3: 'volume' }

/** Volumes where flat pictures were expected, and the other way round. */
export function* dataRank({ document, problem, options }: FixContext): Generator<Candidate> {
  const got = Number(problem.data.got)
  const kind = kindByRank[got]
  if (kind === undefined) return
  let patched = document
  let shown = ''
  for (const [name, input] of document.inputs) {
    if (input.size === undefined || input.kind === 'seq') continue
    const size = options.inputs?.[name]?.size ?? options.data?.size ?? input.size
    shown = size.join('×')
    patched = setInput(patched, name, { ...input, kind, size: [...size] })
  }
  yield { kind: 'set_input_kind', data: { rank: got, size: shown }, document: patched }
}

/** An input without a usable number of channels or size. */
export function* inputSize({ document, problem, options }: FixContext): Generator<Candidate> {
  const { input: name, param } = problem.data
  const input = typeof name === 'string' ? document.inputs.get(name) : undefined
  if (typeof name !== 'string' || input === undefined) return
  if (param === 'channels') {
    for (const channels of new Set([options.data?.channels ?? 3, 1])) {
      const patched = setInput(document, name, { ...input, channels })
      yield { kind: 'set_input_channels', data: { input: name, channels }, document: patched }
    }
    return
  }
  const rank = input.kind === 'volume' ? 3 : input.kind === 'image' ? 2 : 1
  for (const side of rank === 3 ? [64, 32] : [224, 64]) {
    const size = new Array<number>(rank).fill(side)
    const patched = setInput(document, name, { ...input, size })
    yield { kind: 'set_input_size', data: { size: size.join('×') }, document: patched }
  }
}

/** A formula with a wrong word in it, or one that cannot be worked out. */
export function* formula(context: FixContext): Generator<Candidate> {
  const { problem, levels, document } = context
  const { param, text, symbol, nearest } = problem.data
  if (typeof param !== 'string' || typeof text !== 'string') return
  const last = levels.at(-1)
  if (typeof nearest === 'string' && typeof symbol === 'string') {
    const next = text.replaceAll(new RegExp(`(?<![\\w.])${symbol}(?!\\w)`, 'g'), nearest)
    for (const patched of withText(context, { param, text, next })) {
      yield { kind: 'replace_word', data: { symbol, nearest }, document: patched }
    }
  }
  if (last === undefined) {
    yield* setDefault(document, param, 1)
    return
  }
  if (param === 'repeat') yield* setRepeat(context, levels, 1)
  if (param === 'off' && last.scope !== undefined) {
    const patched = changeNode(document, last.scope, last.id, { off: false })
    yield { kind: 'reset_param', data: { param }, document: patched }
  }
  yield* reset(context, param)
  yield* removeLayer(context)
}

/** The document with `text` written as `next` where the problem stands. */
function withText(
  { document, levels }: FixContext,
  { param, text, next }: { param: string; text: string; next: string },
): Document[] {
  const last = levels.at(-1)
  const change = (value: ParamValue): ParamValue =>
    Array.isArray(value) ? value.map((item) => (item === text ? next : item)) : value === text ? next : value
  if (last === undefined) {
    const spec = document.params.get(param)
    if (spec !== undefined) return [setKnob(document, param, { ...spec, default: change(spec.default) })]
    return [...document.inputs].flatMap(([name, input]) => {
      const channels = input.channels === text ? next : input.channels
      const size = input.size?.map((item) => (item === text ? next : item))
      const isSame = channels === input.channels && size?.join() === input.size?.join()
      return isSame ? [] : [setInput(document, name, { ...input, channels, ...(size && { size }) })]
    })
  }
  if (last.scope === undefined) return []
  if (param === 'repeat') return [changeNode(document, last.scope, last.id, { repeat: next })]
  if (param === 'off') return [changeNode(document, last.scope, last.id, { off: next })]
  const value = last.node.params.get(param)
  if (value === undefined) return []
  return [changeNode(document, last.scope, last.id, { params: new Map([[param, change(value)]]) })]
}

/** More layers than any device could run: fewer repetitions, the largest ones first. */
export function* tooBig(context: FixContext): Generator<Candidate> {
  const { document } = context
  const scopes = [null, ...document.blocks.keys()]
  const repeated = scopes.flatMap((scope) => {
    const nodes = scope === null ? document.nodes : document.blocks.get(scope)?.nodes
    return [...(nodes ?? [])].flatMap(([id, { repeat }]) =>
      typeof repeat === 'number' && repeat > 1 ? [{ scope, id, repeat }] : [],
    )
  })
  const largest = repeated.sort((a, b) => b.repeat - a.repeat).slice(0, 2)
  for (const shift of [1, 3, 8]) {
    for (const { scope, id, repeat } of largest) {
      const value = Math.max(1, repeat >> shift)
      const patched = changeNode(document, scope, id, { repeat: value })
      yield { kind: 'set_repeat', data: { node: id, value }, document: patched }
    }
  }
}

/** A layer whose numbers fit no device. */
export function* tooLarge(context: FixContext): Generator<Candidate> {
  const { levels } = context
  const last = levels.at(-1)
  if (last === undefined) return
  const { repeat } = last.node
  if (last.copy !== null && typeof repeat === 'number') yield* setRepeat(context, levels, last.copy)
  for (const param of last.node.params.keys()) yield* reset(context, param)
  yield* removeLayer(context)
}
