import type { Node, ParamValue } from '@neuroloom/contract/network/document/document'
import { evaluateWritten } from '@neuroloom/contract/network/frame'
import type { Value } from '@neuroloom/contract/network/resolve/expr'
import { ModelError } from '@neuroloom/contract/network/resolve/problems'
import { useMemo } from 'react'
import { useEditor } from '../editor/use-editor.ts'
import { frameAt } from '../panels/settings/frame-at.ts'
import type { Item } from './things.ts'

/** What the formulas of a node come to, by the name of the setting; of a repeated one in its first copy. */
export function useValues({ node, path }: Item): ReadonlyMap<string, Value> {
  const formulas = useMemo(() => formulasOf(node), [node])
  // Most cards have none, and need not look at every change of the network.
  const isPlain = formulas.length === 0
  const document = useEditor((state) => (isPlain ? null : state.document))
  const vocabulary = useEditor((state) => (isPlain ? null : state.vocabulary))
  const resolved = useEditor((state) => (isPlain ? null : state.resolved))
  const data = useEditor((state) => (isPlain ? null : state.data))
  return useMemo(() => {
    if (document === null || vocabulary === null || resolved === null) return nothing
    const scope = frameAt({ document, vocabulary, resolved, data }, path)?.scope
    if (scope === undefined) return nothing
    return new Map(formulas.flatMap(([name, written]) => worked(name, written, scope)))
  }, [document, vocabulary, resolved, data, formulas, path])
}

const nothing: ReadonlyMap<string, Value> = new Map()

function formulasOf(node: Node | null): [string, ParamValue][] {
  if (node === null) return []
  const all: [string, ParamValue][] = [...node.params]
  if (node.repeat !== undefined) all.push(['repeat', node.repeat])
  return all.filter(([, value]) =>
    [value].flat().some((one) => typeof one === 'string' && one.startsWith('=')),
  )
}

/** Nothing for a formula with a mistake: it is told elsewhere. */
function worked(
  name: string,
  written: ParamValue,
  scope: Parameters<typeof evaluateWritten>[2],
): [string, Value][] {
  try {
    return [[name, evaluateWritten(written, name, scope)]]
  } catch (error) {
    if (error instanceof ModelError) return []
    throw error
  }
}
