/** Repairs that change settings. A setting that comes from around (`=out`) is changed where it comes from. */
import type { OpParam } from '../catalogue.ts'
import type { Document, ParamSpec, ParamValue } from '../document/document.ts'
import { changeNode } from '../edit/edit.ts'
import { setKnob } from '../edit/frame.ts'
import { nearestName } from '../nearest.ts'
import { isId } from '../resolve/schema-map.ts'
import type { Candidate } from './kinds.ts'
import type { FixContext, Level } from './place.ts'

/** Sets a parameter of the last level's node, or whatever it is written to follow. */
export function* setParam(
  context: FixContext,
  levels: readonly Level[],
  param: string,
  value: ParamValue,
): Generator<Candidate> {
  const { document } = context
  const level = levels.at(-1)
  if (level === undefined) return
  const { scope, node, params, id } = level
  const source = sourceOf(node.params.get(param))
  if (source !== null && params.has(source)) {
    if (levels.length > 1) yield* setParam(context, levels.slice(0, -1), source, value)
    else yield* setDefault(document, source, value)
  }
  if (scope === undefined) return
  const isOwn = level.prefix + id === context.problem.node.replace(/\/\d+$/, '')
  const data = { param, value: shown(value), ...(isOwn ? {} : { node: id }) }
  const patched = changeNode(document, scope, id, { params: new Map([[param, value]]) })
  yield { kind: isOwn ? 'set_param' : 'set_param_of', data, document: patched }
}

/** The parameter of the whole network. */
export function* setDefault(document: Document, param: string, value: ParamValue): Generator<Candidate> {
  const spec = document.params.get(param)
  if (spec === undefined) return
  const data = { param, value: shown(value) }
  yield { kind: 'set_knob', data, document: setKnob(document, param, { ...spec, default: value }) }
}

/** Several numbers, the first that helps first. */
export function* setNumbers(
  context: FixContext,
  param: string,
  values: readonly number[],
): Generator<Candidate> {
  for (const value of values) yield* setParam(context, context.levels, param, value)
}

/** Out of range: the nearest value that is allowed, else what the setting is by itself. */
export function* intoRange(context: FixContext): Generator<Candidate> {
  const { problem, levels, document } = context
  const { param, value, min, max } = problem.data
  if (typeof param !== 'string' || typeof value !== 'number') return
  const nearest = Math.min(Number(max ?? Infinity), Math.max(Number(min ?? -Infinity), value))
  const last = levels.at(-1)
  if (last === undefined) yield* setDefault(document, param, nearest)
  else if (param === 'repeat') yield* setRepeat(context, levels, nearest)
  else {
    yield* setParam(context, levels, param, listed(last, param, { value, nearest }))
    yield* reset(context, param)
  }
}

export function* setRepeat(
  { document }: FixContext,
  levels: readonly Level[],
  repeat: number,
): Generator<Candidate> {
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  yield {
    kind: 'set_repeat',
    data: { node: last.id, value: repeat },
    document: changeNode(document, last.scope, last.id, { repeat }),
  }
}

/** The value that the setting has when nobody writes one. */
export function* reset(context: FixContext, param: string): Generator<Candidate> {
  const { document, levels } = context
  const last = levels.at(-1)
  const spec = specOf(context, param)
  if (last?.scope === undefined || !last.node.params.has(param) || spec === null) return
  const patched = changeNode(document, last.scope, last.id, { params: new Map([[param, undefined]]) })
  yield { kind: 'reset_param', data: { param }, document: patched }
}

/** Of another kind than asked: what was probably meant, else the usual value. */
export function* ofRightKind(context: FixContext): Generator<Candidate> {
  const { problem, levels, document } = context
  const { param, expected, value, choices } = problem.data
  if (typeof param !== 'string') return
  const text = String(value).trim().toLowerCase()
  const meant = meaningOf(text, { expected: String(expected), choices: String(choices ?? '') })
  const frame = param === 'repeat' || param === 'off'
  const last = levels.at(-1)
  if (last === undefined) {
    const spec = document.params.get(param)
    if (meant !== null && spec !== undefined) yield* setDefault(document, param, meant)
  } else if (frame) {
    if (typeof meant === 'number') yield* setRepeat(context, levels, Math.max(0, meant))
    yield* plain(context, param)
  } else {
    if (meant !== null) yield* setParam(context, levels, param, meant)
    yield* reset(context, param)
  }
}

function meaningOf(
  text: string,
  { expected, choices }: { expected: string; choices: string },
): ParamValue | null {
  const number = text === '' ? Number.NaN : Number(text)
  switch (expected) {
    case 'int':
      return Number.isFinite(number) ? Math.round(number) : null
    case 'number':
      return Number.isFinite(number) ? number : null
    case 'bool':
      if (['1', 'yes', 'on', 'true'].includes(text)) return true
      return ['0', 'no', 'off', 'false'].includes(text) ? false : null
    case 'list':
      return Number.isFinite(number) ? [number] : null
    case 'choice':
      return nearestName(text, choices.split(', '))
  }
  return null
}

/** `repeat` and `off` are no settings of the layer: without them it stands there once. */
function* plain({ document, levels }: FixContext, param: 'repeat' | 'off' | string): Generator<Candidate> {
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  const { id, scope } = last
  if (param === 'repeat') {
    const patched = changeNode(document, scope, id, { repeat: 1 })
    yield { kind: 'set_repeat', data: { node: id, value: 1 }, document: patched }
  } else if (param === 'off') {
    yield { kind: 'reset_param', data: { param }, document: changeNode(document, scope, id, { off: false }) }
  }
}

/** A name that the layer does not have: the one that was meant, or without it. */
export function* withoutParam(context: FixContext): Generator<Candidate> {
  const { problem, levels, document } = context
  const { param, nearest } = problem.data
  const last = levels.at(-1)
  if (typeof param !== 'string' || last?.scope === undefined) return
  const value = last.node.params.get(param)
  const bare = new Map<string, ParamValue | undefined>([[param, undefined]])
  if (typeof nearest === 'string' && value !== undefined) {
    const renamed = new Map(bare).set(nearest, value)
    const patched = changeNode(document, last.scope, last.id, { params: renamed })
    yield { kind: 'rename_param', data: { param, nearest }, document: patched }
  }
  yield {
    kind: 'remove_param',
    data: { param },
    document: changeNode(document, last.scope, last.id, { params: bare }),
  }
}

/** One number an axis is asked for: as many as there are, or one for all. */
export function* rightCount(context: FixContext): Generator<Candidate> {
  const { problem, levels } = context
  const { param, rank } = problem.data
  const value = typeof param === 'string' ? levels.at(-1)?.node.params.get(param) : undefined
  if (typeof param !== 'string' || !Array.isArray(value)) return
  const numbers = value.slice(0, Number(rank))
  if (numbers.length === Number(rank)) yield* setParam(context, levels, param, numbers)
  const [first] = numbers
  if (first !== undefined) yield* setParam(context, levels, param, first)
  yield* reset(context, param)
}

/** The numbers nearest to `value` that divide each of `counts`, nearest first. */
export function divisorsNear(counts: readonly number[], value: number): number[] {
  const [least = 1] = [...counts].sort((a, b) => a - b)
  const all = Array.from({ length: Math.min(least, 4096) }, (_, k) => k + 1)
  const divisors = all.filter((number) => counts.every((count) => count % number === 0))
  return divisors.sort((a, b) => Math.abs(a - value) - Math.abs(b - value)).slice(0, 2)
}

/** The catalogue's entry of a layer's setting, or a block's. */
export function specOf(
  { levels, document, vocabulary }: FixContext,
  param: string,
): OpParam | ParamSpec | null {
  const last = levels.at(-1)
  if (last === undefined) return document.params.get(param) ?? null
  const { op } = last.node
  const block = document.blocks.get(op) ?? vocabulary.std.get(op)
  if (block !== undefined) return block.params.get(param) ?? null
  return vocabulary.catalogue.get(op)?.params.get(param) ?? null
}

/** `=out` follows `out`; anything longer is a formula of its own. */
export function sourceOf(written: ParamValue | undefined): string | null {
  if (typeof written !== 'string') return null
  const name = /^=([^=]*)$/.exec(written)?.[1]?.trim() ?? ''
  return isId(name) ? name : null
}

export function shown(value: ParamValue): string | number {
  if (typeof value === 'number') return value
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** In a list only the numbers that are out of range change. */
function listed(
  { node }: Level,
  param: string,
  { value, nearest }: { value: number; nearest: number },
): ParamValue {
  const written = node.params.get(param)
  if (!Array.isArray(written)) return nearest
  return written.map((item) => (item === value ? nearest : item))
}
