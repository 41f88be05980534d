/** Says at once whether a typed value may stand in a setting: the same rules as the resolver's, for one value. Pure. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Document, ParamSpec, ParamValue } from '@neuroloom/contract/network/document/document'
import { bindParams, evaluateWritten, FrameScope } from '@neuroloom/contract/network/frame'
import type { Value } from '@neuroloom/contract/network/resolve/expr'
import { ExpressionError } from '@neuroloom/contract/network/resolve/expr-parse'
import { opParams } from '@neuroloom/contract/network/resolve/op-params'
import { ModelError, type ProblemData } from '@neuroloom/contract/network/resolve/problems'
import type { NodeFrame } from './frame-at.ts'

export type ValueProblem = { code: string; data: ProblemData }

export interface Checked {
  /** What a formula gives; undefined for a plain value or where nothing is known of the place. */
  result: Value | undefined
  problem: ValueProblem | null
}

type Setting = { op: string; name: string; value: ParamValue }
type Known = { document: Document; vocabulary: Vocabulary }

/** A typed value of a setting of a layer or block. */
export function checkSetting({ op, name, value }: Setting, frame: NodeFrame | null, known: Known): Checked {
  return judge({ name, value, frame }, (given) =>
    problemOf(() => refuseWrong({ op, name, given }, frame?.inputs ?? [], known), name),
  )
}

type Range = { frame: Place | null; least: number; most: number }

/** A whole number outside of layers: copies, channels, sizes. */
export function checkWhole(name: string, value: ParamValue, { frame, least, most }: Range): Checked {
  return judge({ name, value, frame }, (given) => {
    if (typeof given !== 'number' || !Number.isInteger(given)) return wrongKind(name, 'int', given)
    const data = { param: name, value: given, min: least, max: most }
    return given >= least && given <= most ? null : { code: 'param_range', data }
  })
}

/** A condition: true, false, or a formula that gives one of them or a number. */
export function checkFlag(name: string, value: ParamValue, frame: Place | null): Checked {
  return judge({ name, value, frame }, (given) =>
    typeof given === 'boolean' || typeof given === 'number' ? null : wrongKind(name, 'bool', given),
  )
}

/** What of a place formulas need; without inputs nothing arrives there yet. */
type Place = Pick<NodeFrame, 'scope'> & Partial<NodeFrame>
const nowhere = new FrameScope({ ports: new Map(), params: new Map() })

function judge(
  { name, value, frame }: { name: string; value: ParamValue; frame: Place | null },
  problemOfGiven: (given: Value) => ValueProblem | null,
): Checked {
  const isFormula = typeof value === 'string' && value.startsWith('=')
  if (isFormula && frame === null) return { result: undefined, problem: null }
  try {
    const given = evaluateWritten(value, name, frame?.scope ?? nowhere)
    return { result: isFormula ? given : undefined, problem: problemOfGiven(given) }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const isWaiting = frame?.inputs?.length === 0 && error.data.symbol === 'in'
    return { result: undefined, problem: isWaiting ? null : { code: error.code, data: error.data } }
  }
}

function refuseWrong(
  { op, name, given }: { op: string; name: string; given: Value },
  inputs: NodeFrame['inputs'],
  { document, vocabulary }: Known,
): void {
  const block = document.blocks.get(op) ?? vocabulary.std.get(op)
  if (block !== undefined) {
    const spec = block.params.get(name)
    if (spec !== undefined) bindParams(new Map([[name, spec]]), new Map([[name, given]]), new Map())
    return
  }
  const entry = vocabulary.catalogue.get(op)
  // One number an axis: how many there are is known only where something is connected.
  if (entry !== undefined && (inputs.length > 0 || !Array.isArray(given))) {
    opParams(entry, new Map([[name, given]]), inputs)
  }
}

/** Other settings of the same layer are not this field's affair. */
function problemOf(work: () => void, name: string): ValueProblem | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof ModelError) {
      return error.data.param === name ? { code: error.code, data: error.data } : null
    }
    if (error instanceof ExpressionError) return null
    throw error
  }
}

function wrongKind(param: string, expected: string, given: Value): ValueProblem {
  return { code: 'param_type', data: { param, expected, value: String(given).slice(0, 60) } }
}

/** A plain number, not whole: formulas are no answer here. */
export function checkNumber(
  name: string,
  value: ParamValue,
  { least, most }: { least: number; most: number },
): Checked {
  if (typeof value !== 'number')
    return { result: undefined, problem: wrongKind(name, 'number', String(value)) }
  const data = { param: name, value, min: least, max: most }
  const isRight = value >= least && value <= most
  return { result: undefined, problem: isRight ? null : { code: 'param_range', data } }
}

/** The value of a knob: it must fit the knob's own kind and range. */
export function checkKnob(name: string, spec: ParamSpec, frame: Place | null): Checked {
  return judge({ name, value: spec.default, frame }, (given) =>
    problemOf(() => bindParams(new Map([[name, spec]]), new Map([[name, given]]), new Map()), name),
  )
}
