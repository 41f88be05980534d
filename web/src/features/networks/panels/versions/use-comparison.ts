import { type Difference, diffDocuments } from '@neuroloom/contract/network/document/diff'
import { type Document, type Node, networkLimits } from '@neuroloom/contract/network/document/document'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { useEffect, useMemo } from 'react'
import { useCall } from '../../../../lib/query.ts'
import { stepOf } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'

export interface Comparison {
  differences: Difference[]
  /** Learnable numbers more or less than then; null while one of both has mistakes. */
  parameters: number | null
}

/** What has changed since a kept version, also in colour on the canvas while it is looked at. */
export function useComparison(number: number | null): { data: Comparison | null; error: Error | null } {
  const id = useEditor(({ file }) => file.id)
  const vocabulary = useEditor((state) => state.vocabulary)
  const { data: version, error } = useCall(
    'networks/version',
    { id, number: number ?? 1 },
    { enabled: number !== null, quiet: true, staleTime: Number.POSITIVE_INFINITY },
  )
  const before = useMemo(
    () => (version === undefined || number === null ? null : stepOf(version, vocabulary).document),
    [version, number, vocabulary],
  )
  return { data: useDifferences(before), error }
}

/** What is different here from another state of the network, also in colour on the canvas; null without one. */
export function useDifferences(before: Document | null): Comparison | null {
  const store = useEditorStore()
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const learn = useEditor(({ resolved }) => resolved.plan?.learn)
  const was = useMemo(
    () => (before === null ? undefined : resolve(before, vocabulary).plan?.learn),
    [before, vocabulary],
  )
  const data = useMemo(() => {
    if (before === null) return null
    const parameters = learn === undefined || was === undefined ? null : learn - was
    return { differences: diffDocuments(before, document, vocabulary), parameters }
  }, [before, was, document, vocabulary, learn])

  useEffect(() => {
    const compared = data === null ? null : comparedPaths(document, data.differences)
    store.getState().show({ compared })
  }, [store, document, data])
  useEffect(() => () => store.getState().show({ compared: null }), [store])

  return data
}

/** What changed inside a block is seen in each of its uses, and the use counts as changed. Removed things have no place. */
function comparedPaths(
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
