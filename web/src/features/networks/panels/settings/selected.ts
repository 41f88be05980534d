/** What of the network is selected, as the inspector tells it apart. Pure. */

import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Document } from '@neuroloom/contract/network/document/document'
import { type Place, placeOf } from '../../editor/paths.ts'

export interface SelectedNode extends Place {
  path: string
}

export type Selected =
  | { kind: 'nothing' }
  | { kind: 'input'; name: string }
  | { kind: 'head'; name: string }
  | { kind: 'node'; node: SelectedNode }
  | { kind: 'nodes'; nodes: SelectedNode[] }

/** Paths that no longer lead anywhere do not count; beside nodes, inputs and heads do not either. */
export function readSelection(
  document: Document,
  vocabulary: Vocabulary,
  selection: ReadonlySet<string>,
): Selected {
  const nodes: SelectedNode[] = []
  let other: Selected = { kind: 'nothing' }
  for (const path of selection) {
    const place = placeOf(document, vocabulary, path)
    if (place !== null) nodes.push({ ...place, path })
    else if (path.startsWith('@') && document.inputs.has(path.slice(1))) {
      other = { kind: 'input', name: path.slice(1) }
    } else if (path.startsWith('heads.') && document.heads.has(headName(path))) {
      other = { kind: 'head', name: headName(path) }
    }
  }
  const [first, second] = nodes
  if (first === undefined) return other
  return second === undefined ? { kind: 'node', node: first } : { kind: 'nodes', nodes }
}

/** `heads.main.0.cls` is an outlet of the head `main`. */
function headName(path: string): string {
  return path.slice('heads.'.length).split('.')[0] ?? ''
}
