/** Costs of every layer and of every block around it: what a folded block shows, and heat maps. */
import type { PlanNode } from './plan.ts'

export interface Cost {
  /** Learnable numbers; shared ones count where they belong. */
  learn: number
  macs: number
  /** Bytes that training keeps of one sample. */
  keptBytes: number
  layers: number
}

/** By path of the plan, `stage2`, `stage2/0` and `stage2/0/conv1`; '' is the whole network. `kept`: bytes by node. */
export function costByPath(
  nodes: readonly PlanNode[],
  kept: ReadonlyMap<string, number> = new Map(),
): Map<string, Cost> {
  const costs = new Map<string, Cost>()
  for (const { id, learn, macs, share } of nodes) {
    const own = { learn: share === null ? learn : 0, macs, keptBytes: kept.get(id) ?? 0, layers: 1 }
    for (const path of pathsAbove(id)) {
      const sum = costs.get(path)
      if (sum === undefined) costs.set(path, { ...own })
      else {
        sum.learn += own.learn
        sum.macs += own.macs
        sum.keptBytes += own.keptBytes
        sum.layers += 1
      }
    }
  }
  return costs
}

function pathsAbove(id: string): string[] {
  const steps = id.split('/')
  return ['', ...steps.map((_, k) => steps.slice(0, k + 1).join('/'))]
}
