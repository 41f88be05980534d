/** Where differences of two versions are seen on the canvas. Pure. */
import type { Difference } from '@neuroloom/contract/network/document/diff'
import { type Document, type Node, networkLimits } from '@neuroloom/contract/network/document/document'

/** What changed inside a block is seen in each of its uses, and the use counts as changed. Removed things have no place. */
export function comparedPaths(
  document: Document,
  differences: readonly Difference[],
): Map<string, 'added' | 'changed'> {
  const found = new Map<string, 'added' | 'changed'>()
  const uses = usesOf(document)
  for (const { scope, id, kind } of differences) {
    const isSetting = id === '' || id.startsWith('params.')
    const places = scope === null ? [''] : (uses.get(scope) ?? [])
    for (const use of places) {
      if (use !== '' && !found.has(use)) found.set(use, 'changed')
      if (kind !== 'removed' && !isSetting) found.set(use === '' ? id : `${use}/${id}`, kind)
    }
  }
  return found
}

/** Canvas paths of all uses of each local block. */
function usesOf(document: Document): Map<string, string[]> {
  const uses = new Map<string, string[]>()
  const walk = (nodes: ReadonlyMap<string, Node>, before: string, depth: number) => {
    for (const [id, { op }] of nodes) {
      const block = document.blocks.get(op)
      if (block === undefined || depth > networkLimits.depth) continue
      uses.set(op, [...(uses.get(op) ?? []), before + id])
      walk(block.nodes, `${before}${id}/`, depth + 1)
    }
  }
  walk(document.nodes, '', 0)
  return uses
}
