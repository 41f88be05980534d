/** Layers that the contract refuses, made without thought for what fits. */
import type { Catalogue, OpEntry } from '@neuroloom/contract/network/catalogue'
import { inferOp } from '@neuroloom/contract/network/resolve/infer'
import { opParams } from '@neuroloom/contract/network/resolve/op-params'
import type { PlanNode, TensorType } from '@neuroloom/contract/network/resolve/plan'
import { type ErrorCode, ModelError } from '@neuroloom/contract/network/resolve/problems'
import type { Random } from '../network/random.ts'
import { type Given, makeParams } from './params.ts'
import { kinds, makeType, nearly, tiny } from './types.ts'

/** A layer that the contract does not allow with these inputs, though its parameters can be read. */
export interface Refusal {
  op: string
  code: ErrorCode
  params: PlanNode['params']
  inputs: TensorType[]
}

/** Inputs and parameters without thought: for what the contract refuses. */
export function makeRefusals(random: Random, catalogue: Catalogue, count: number): Refusal[] {
  const ops = [...catalogue]
  const refusals: Refusal[] = []
  while (refusals.length < count) {
    const [op, entry] = random.pick(ops)
    const [port] = entry.in
    const suited = port?.kinds.split('|') ?? kinds
    const first = tiny(random, makeType(random, random.pick(random.chance(0.9) ? suited : kinds)))
    const more = port?.many === undefined ? entry.in.length - 1 : 1 + random.below(2)
    const others = Array.from({ length: more }, () =>
      random.chance(0.8) ? nearly(random, first) : makeType(random, random.pick(kinds)),
    )
    const types = [first, ...others]
    const given = makeParams(random, entry, random.chance(0.5) ? types : [makeType(random, first.k)])
    try {
      inferOp(entry, given, types)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const refusal = refusalOf(error, { op, entry, given, types })
      if (refusal !== null) refusals.push(refusal)
    }
  }
  return refusals
}

/** Null when the parameters themselves cannot be read: then there is nothing that PyTorch could be asked. */
function refusalOf(
  { code }: ModelError,
  { op, entry, given, types }: { op: string; entry: OpEntry; given: Given; types: TensorType[] },
): Refusal | null {
  try {
    return { op, code, params: opParams(entry, given, types), inputs: types }
  } catch {
    return null
  }
}
