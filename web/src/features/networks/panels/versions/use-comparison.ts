import { type Difference, diffDocuments } from '@neuroloom/contract/network/document/diff'
import type { Document } from '@neuroloom/contract/network/document/document'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { useEffect, useMemo } from 'react'
import { useCall } from '../../../../lib/query.ts'
import { stepOf } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { comparedPaths } from './compared-paths.ts'

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
