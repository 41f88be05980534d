/** Amber notes on a network that runs but is probably not what was meant. */
import type { Plan, PlanNode } from './plan.ts'
import type { Problem, WarningCode } from './problems.ts'

export function findWarnings(nodes: readonly PlanNode[], heads: Plan['heads']): Problem<WarningCode>[] {
  const used = new Set(Object.values(heads).map(({ from }) => from))
  for (const node of nodes) for (const id of Object.values(node.in)) used.add(id)
  const warnings: Problem<WarningCode>[] = []
  const warn = (code: WarningCode, node: PlanNode) =>
    warnings.push({ code, node: node.id, port: null, data: { op: node.op } })
  for (const node of nodes) {
    if (!used.has(node.id)) warn('dead_end', node)
    if (isTiedToSize(node)) warn('fixed_size', node)
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const { task, from } of Object.values(heads)) {
    const last = byId.get(from)
    if (last === undefined || (task !== 'classification' && task !== 'segmentation')) continue
    if (last.op === 'softmax' || last.op === 'sigmoid') warn('act_before_loss', last)
  }
  return warnings
}

/** Position embeddings have as many numbers as the picture has patches. */
function isTiedToSize(node: PlanNode): boolean {
  return node.op === 'pos_embed'
}
