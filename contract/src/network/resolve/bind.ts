/** Binds a document to data: values of its parameters, and the types of its inputs. */
import type { Document, DocumentInput, Role } from '../document/document.ts'
import { bindParams, evaluateWritten, FrameScope, type Signal } from '../frame.ts'
import type { Value } from './expr.ts'
import type { TensorType } from './plan.ts'
import { ModelError } from './problems.ts'

/** What is known of the data set. Parameters with a role take it unless a value was given by hand. */
export interface DataFacts {
  classes?: number
  channels?: number
  factor?: number
  /** Height and width, or depth, height and width: the size of every picture input, unless given by hand. */
  size?: readonly number[]
}

export interface Binding {
  params: ReadonlyMap<string, Value>
  /** By input name, with ids `@name`. */
  ports: ReadonlyMap<string, Signal>
}

/** Throws ModelError. */
export function bindDocument(
  document: Document,
  {
    params = new Map(),
    inputs = new Map(),
    data = {},
  }: {
    params?: ReadonlyMap<string, Value>
    inputs?: ReadonlyMap<string, { size: readonly number[] }>
    data?: DataFacts
  } = {},
): Binding {
  const given = new Map([...roleValues(document, data), ...params])
  const bound = bindParams(document.params, given, new Map())
  const scope = new FrameScope({ params: bound, ports: new Map() })
  const ports = new Map<string, Signal>()
  for (const [name, input] of document.inputs) {
    const size = inputs.get(name)?.size ?? data.size
    ports.set(name, { id: `@${name}`, type: inputType(name, input, size, scope) })
  }
  return { params: bound, ports }
}

function roleValues(document: Document, data: DataFacts): Map<string, Value> {
  const byRole: Record<Role, number | undefined> = {
    classes: data.classes,
    channels: data.channels,
    factor: data.factor,
  }
  const values = new Map<string, Value>()
  for (const [name, { role }] of document.params) {
    const value = role === undefined ? undefined : byRole[role]
    if (value !== undefined) values.set(name, value)
  }
  return values
}

/** As many numbers as a tensor can have on one axis without any device being able to hold it. */
const largest = 2 ** 24

function inputType(
  name: string,
  input: DocumentInput,
  size: readonly number[] | undefined,
  scope: FrameScope,
): TensorType {
  const number = (written: number | string, param: string) => {
    const value = evaluateWritten(written, param, scope)
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= largest) return value
    throw new ModelError('input_size', { input: name, param, value: String(value).slice(0, 60) })
  }
  const c = number(input.channels, 'channels')
  if (input.kind === 'vec') return { k: 'vec', c }
  const designed = (input.size ?? []).map((written) => number(written, 'size'))
  const wanted = input.kind === 'seq' ? designed : (size?.map((value) => number(value, 'size')) ?? designed)
  if (wanted.length === 0) throw new ModelError('input_size', { input: name, param: 'size', value: '' })
  if (input.kind === 'seq') return { k: 'seq', n: wanted[0] ?? 1, c }
  if (designed.length > 0 && wanted.length !== designed.length) {
    throw new ModelError('data_rank', { got: wanted.length, expected: designed.length })
  }
  return { k: 'map', c, s: wanted }
}
