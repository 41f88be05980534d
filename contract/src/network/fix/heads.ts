/** Repairs of what a network ends with: heads that do not fit the task or the data, or that are missing. */
import type { Document, Head, Node, ParamSpec, ParamValue } from '../document/document.ts'
import { changeNode } from '../edit/edit.ts'
import { connectHead, setHead, setKnob } from '../edit/frame.ts'
import { mapRefs } from '../edit/slots.ts'
import { classesIn, classesParam, headOutlets } from '../resolve/heads.ts'
import type { TensorType } from '../resolve/plan.ts'
import { convert, insert, type Layer } from './insert.ts'
import type { Candidate } from './kinds.ts'
import { type FixContext, type Level, type Target, typeOfRef } from './place.ts'
import { sourceOf } from './set.ts'
import { setterOf } from './size.ts'

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
  const classes = followClasses(context)
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
  if (layers.length === 0) return
  const inside = { ...context, document: classes.document }
  yield* insert(inside, place, layers, { kind: 'add_output_layer', data: { classes: classes.count } })
}

/** A layer written so has as many numbers as the data have classes, also those of another time: the parameter is made where there is none. */
function followClasses({ document, options }: FixContext): {
  document: Document
  written: ParamValue
  count: number
} {
  const count = classesIn(document, options.data) ?? 2
  const name = classesParam(document) ?? 'classes'
  const spec: ParamSpec = {
    type: 'int',
    min: 1,
    ...document.params.get(name),
    default: count,
    role: 'classes',
  }
  const followed = setKnob(document, name, spec)
  const isThere = followed.params.get(name)?.role === 'classes'
  return { document: followed, written: isThere ? `=${name}` : count, count }
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
  const { levels, ref, type, place, head } = outlet
  const setter = setterOf(context, levels, ref)
  if (setter !== null) {
    const knob = sourceOf(setter.level.node.params.get(setter.param))
    const spec = knob === null ? undefined : document.params.get(knob)
    if (knob !== null && spec !== undefined) {
      const patched = setKnob(document, knob, { ...spec, default: classes, role: 'classes' })
      yield { kind: 'set_knob', data: { param: knob, value: classes }, document: patched }
    }
    const { document: followed, written } = followClasses(context)
    const params = new Map([[setter.param, written]])
    const patched = changeNode(followed, null, setter.level.id, { params })
    const data = { node: setter.level.id, param: setter.param, classes }
    yield { kind: 'follow_classes', data, document: patched }
  }
  yield* outputLayers(context, place, { type, task: head.task })
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
