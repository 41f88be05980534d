/** Which nodes a look into the network asks for: what the canvas shows. Pure. */
import { networkFileLimits } from '@neuroloom/contract/limits'
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Block, Document, Node } from '@neuroloom/contract/network/document/document'
import type { Layout } from '@neuroloom/contract/network/layout/file'

/** Path in the plan → path on the canvas. A folded block stands for its last layer; what is chosen comes first. */
export function lookNodes(
  document: Document,
  { std }: Vocabulary,
  { open, selection }: Pick<Layout, 'open'> & { selection: ReadonlySet<string> },
): Map<string, string> {
  const opened = new Set(open)
  const found: [string, string][] = []
  const walk = (nodes: ReadonlyMap<string, Node>, canvas: string, plan: string, blocks: Blocks) => {
    for (const [id, node] of nodes) {
      const block = blocks.get(node.op) ?? std.get(node.op)
      const path = canvas + id
      if (block === undefined || !opened.has(path)) {
        found.push([plan + id, path])
        continue
      }
      const copy = node.repeat === undefined ? '' : '/0'
      const inside = blocks.has(node.op) ? blocks : new Map<string, Block>()
      walk(block.nodes, `${path}/`, `${plan}${id}${copy}/`, inside)
    }
  }
  walk(document.nodes, '', '', document.blocks)
  const rank = ([, path]: [string, string]) => (selection.has(path) ? 0 : 1)
  return new Map(found.sort((a, b) => rank(a) - rank(b)).slice(0, networkFileLimits.lookNodes))
}

type Blocks = ReadonlyMap<string, Block>
