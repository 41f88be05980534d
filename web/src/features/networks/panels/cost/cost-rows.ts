/** The rows of the cost table: what is drawn, blocks with what is in them. Pure. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Block, Document, Node } from '@neuroloom/contract/network/document/document'
import { networkLimits } from '@neuroloom/contract/network/document/document'
import type { Cost } from '@neuroloom/contract/network/resolve/summary'

export interface CostRow extends Cost {
  /** On the canvas. */
  path: string
  id: string
  op: string
  repeat: boolean
  children?: CostRow[]
}

type Costs = ReadonlyMap<string, Cost>
const nothing: Cost = { learn: 0, macs: 0, keptBytes: 0, layers: 0 }

/** Of a repeated node all copies together; inside it, the first copy stands for the others. */
export function costRows(document: Document, { std }: Vocabulary, costs: Costs): CostRow[] {
  const walk = (
    nodes: ReadonlyMap<string, Node>,
    { canvas, plan, blocks, depth }: { canvas: string; plan: string; blocks: Blocks; depth: number },
  ): CostRow[] =>
    [...nodes].map(([id, node]) => {
      const path = canvas + id
      const planPath = plan + id
      const cost = costs.get(planPath) ?? nothing
      const block = blocks.get(node.op) ?? std.get(node.op)
      const row: CostRow = { ...cost, path, id, op: node.op, repeat: node.repeat !== undefined }
      if (block === undefined || cost.layers === 0 || depth > networkLimits.depth) return row
      const first = node.repeat === undefined ? `${planPath}/` : `${planPath}/0/`
      const inside = blocks.has(node.op) ? blocks : new Map<string, Block>()
      const around = { canvas: `${path}/`, plan: first, blocks: inside, depth: depth + 1 }
      return { ...row, children: walk(block.nodes, around) }
    })
  return walk(document.nodes, { canvas: '', plan: '', blocks: document.blocks, depth: 0 })
}

type Blocks = ReadonlyMap<string, Block>
