/** Finds batch normalisation that a batch of one picture cannot train: it sees one value alone, whose deviation is nothing. */
import type { Plan, PlanNode } from './plan.ts'

/** The first one, as in the global branch of `aspp` and `psp`. */
export function singleNorm({ nodes }: Pick<Plan, 'nodes'>): PlanNode | undefined {
  return nodes.find(({ op, type }) => {
    if (op !== 'bn') return false
    return type.k === 'vec' || (type.k === 'map' && type.s.every((size) => size === 1))
  })
}
