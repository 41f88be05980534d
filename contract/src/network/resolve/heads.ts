/** Reads the heads of a document: where its outputs come from, and whether they fit the task and the data. */

import type { Document, Head } from '../document/document.ts'
import type { Frame, Placed, Signal } from '../frame.ts'
import type { DataFacts } from './bind.ts'
import type { Plan, TensorType } from './plan.ts'
import { ModelError } from './problems.ts'
import { describeType, sizesOf } from './rules.ts'
import { signalOf } from './wiring.ts'

interface Outlet {
  /** '' for the only one, `cls`, or `0.cls` on a level. */
  outlet: string
  ref: string
}

/** Where a head gets its tensors from, in written order; none for a head that is connected to nothing. */
export function headOutlets({ from }: Head): Outlet[] {
  if (typeof from === 'string') return [{ outlet: '', ref: from }]
  if (!Array.isArray(from)) return [...from].map(([outlet, ref]) => ({ outlet, ref }))
  return from.flatMap((level, k) => [...level].map(([port, ref]) => ({ outlet: `${k}.${port}`, ref })))
}

/** The parameter that stands for the number of classes. */
export function classesParam({ params }: Pick<Document, 'params'>): string | undefined {
  const known = [...params]
  return (known.find(([, { role }]) => role === 'classes') ?? known.find(([name]) => name === 'classes'))?.[0]
}

/** How many classes there are: of the data, else as the network says of itself. */
export function classesIn(document: Pick<Document, 'params'>, data: DataFacts = {}): number | undefined {
  if (data.classes !== undefined) return data.classes
  const written = document.params.get(classesParam(document) ?? '')?.default
  return typeof written === 'number' ? written : undefined
}

export interface HeadProblem {
  head: string
  error: ModelError
}

export function readHeads(
  document: Document,
  frame: Frame,
  placed: ReadonlyMap<string, Placed>,
  data: DataFacts,
): { heads: Plan['heads']; problems: HeadProblem[] } {
  const heads: Plan['heads'] = {}
  const problems: HeadProblem[] = []
  if (document.heads.size === 0) problems.push({ head: '', error: new ModelError('head_missing') })
  for (const [id, head] of document.heads) {
    const outlets = headOutlets(head)
    if (outlets.length === 0) problems.push({ head: id, error: new ModelError('head_missing') })
    for (const { outlet, ref } of outlets) {
      // `main`, or `main.0.cls` where a head takes several tensors.
      const name = outlet === '' ? id : `${id}.${outlet}`
      try {
        const signal = signalOf(ref, frame, placed)
        if (signal === null) continue
        heads[name] = { task: head.task, from: signal.id, weight: head.weight ?? 1 }
        checkHead(head, signal, [...frame.ports.values()], data)
      } catch (error) {
        if (!(error instanceof ModelError)) throw error
        problems.push({ head: name, error })
      }
    }
  }
  return { heads, problems }
}

/** Only tasks with one output have a shape that can be checked without the task's own code. */
function checkHead(head: Head, { type }: Signal, inputs: readonly Signal[], data: DataFacts): void {
  if (head.task !== 'classification' && head.task !== 'segmentation') return
  const expected = head.task === 'classification' ? 'vec' : 'map'
  if (type.k !== expected) {
    throw new ModelError('wrong_kind', { expected, got: type.k, input: describeType(type) })
  }
  if (head.task === 'segmentation') checkSize(type, inputs)
  if (data.classes !== undefined && data.classes !== type.c) {
    throw new ModelError('head_classes', { classes: data.classes, got: type.c })
  }
}

function checkSize(type: TensorType, inputs: readonly Signal[]): void {
  const picture = inputs.find((input) => input.type.k === 'map')
  if (picture === undefined) return
  const [got, expected] = [sizesOf(type).join('×'), sizesOf(picture.type).join('×')]
  if (got !== expected) throw new ModelError('head_size', { got, expected })
}
