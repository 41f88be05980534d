import { useMemo } from 'react'
import { useEditor } from '../../editor/use-editor.ts'
import { frameAt, type NodeFrame, topScope } from './frame-at.ts'

/** What formulas mean at a node, as the network is now. */
export function useFrame(path: string): NodeFrame | null {
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const resolved = useEditor((state) => state.resolved)
  const data = useEditor((state) => state.data)
  return useMemo(
    () => frameAt({ document, vocabulary, resolved, data }, path),
    [document, vocabulary, resolved, data, path],
  )
}

/** The same for what stands around the nodes: inputs and knobs. */
export function useTopScope(): Pick<NodeFrame, 'scope'> | null {
  const document = useEditor((state) => state.document)
  const data = useEditor((state) => state.data)
  return useMemo(() => {
    const scope = topScope({ document, data })
    return scope === null ? null : { scope }
  }, [document, data])
}
