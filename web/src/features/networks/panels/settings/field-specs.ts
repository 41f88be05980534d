import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Block, Document, ParamSpec, ParamValue } from '@neuroloom/contract/network/document/document'

export type FieldKind = 'int' | 'float' | 'bool' | 'enum' | 'axis' | 'ints' | 'floats' | 'text' | 'any'

/** One setting of a layer or block, as a form needs it. */
export interface FieldSpec {
  name: string
  kind: FieldKind
  default: ParamValue
  min: number | undefined
  max: number | undefined
  choices: readonly string[]
  /** `auto` is among its values: the layer finds the number by itself. */
  hasAuto: boolean
  /** In the words of who made the block; layers have theirs in the locale files. */
  title: string | undefined
}

/** The settings of an operation in the order of the catalogue or of the block; none for an unknown one. */
export function fieldSpecs(op: string, document: Document, { catalogue, std }: Vocabulary): FieldSpec[] {
  const block: Block | undefined = document.blocks.get(op) ?? std.get(op)
  if (block !== undefined) {
    return [...block.params].map(([name, spec]) => {
      const field = blockField(name, spec)
      const isNumber = field.kind === 'int' || field.kind === 'float'
      return isNumber && reachesAxis(name, block, document, { catalogue, std })
        ? { ...field, kind: 'axis' }
        : field
    })
  }
  return [...(catalogue.get(op)?.params ?? [])].map(([name, param]) => ({
    name,
    kind: param.t,
    default: param.def,
    min: param.min,
    max: param.max,
    choices: param.enum ?? [],
    hasAuto: param.auto !== undefined,
    title: undefined,
  }))
}

/** Whether a number of the block is one that layers inside may have for every axis of the picture. */
function reachesAxis(
  name: string,
  block: Block,
  document: Document,
  vocabulary: Vocabulary,
  depth = 0,
): boolean {
  const isLocal = [...document.blocks.values()].includes(block)
  return [...block.nodes.values()].some(({ op, params }) => {
    const inner = (isLocal ? document.blocks.get(op) : undefined) ?? vocabulary.std.get(op)
    const entry = inner === undefined ? vocabulary.catalogue.get(op) : undefined
    return [...params].some(([param, value]) => {
      if (typeof value !== 'string' || value.slice(1).trim() !== name) return false
      if (inner === undefined) return entry?.params.get(param)?.t === 'axis'
      return depth < 16 && reachesAxis(param, inner, document, vocabulary, depth + 1)
    })
  })
}

/** The settings that all of these have, asked for once. */
export function commonSpecs(lists: readonly (readonly FieldSpec[])[]): FieldSpec[] {
  const [first = [], ...others] = lists
  const isSame = (a: FieldSpec, b: FieldSpec) =>
    a.name === b.name && a.kind === b.kind && a.choices.join() === b.choices.join()
  return first.filter((spec) => others.every((list) => list.some((other) => isSame(spec, other))))
}

export function blockField(name: string, spec: ParamSpec): FieldSpec {
  return {
    name,
    kind: kindOf(spec),
    default: spec.default,
    min: spec.min,
    max: spec.max,
    choices: [],
    hasAuto: false,
    title: spec.title,
  }
}

/** `any`: the default is an expression, which says nothing about what else may stand there. */
function kindOf({ type, default: standard }: ParamSpec): FieldKind {
  if (type === 'list') return 'floats'
  if (type !== undefined) return type
  if (typeof standard === 'number') return 'float'
  if (typeof standard === 'boolean') return 'bool'
  if (Array.isArray(standard)) return 'floats'
  return typeof standard === 'string' && standard.startsWith('=') ? 'any' : 'text'
}
