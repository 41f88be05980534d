import { keptBytes } from '@neuroloom/contract/network/kept'
import { type Cost, costByPath } from '@neuroloom/contract/network/resolve/summary'
import { useDeferredValue, useMemo } from 'react'
import { useEditor } from '../../editor/use-editor.ts'

/** Costs by path of the plan; '' is the whole network. Also of a network with mistakes: of what could be worked out. */
export function useCosts(): ReadonlyMap<string, Cost> {
  // Drawing goes on while the figures follow.
  const { nodes, types } = useDeferredValue(useEditor((state) => state.resolved))
  const catalogue = useEditor(({ vocabulary }) => vocabulary.catalogue)
  return useMemo(() => {
    const inputs = Object.fromEntries(
      [...types].flatMap(([path, type]) => (path.startsWith('@') ? [[path.slice(1), type]] : [])),
    )
    return costByPath(nodes, keptBytes(nodes, inputs, catalogue).byNode)
  }, [nodes, types, catalogue])
}
