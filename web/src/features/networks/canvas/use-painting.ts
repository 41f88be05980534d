import { useMemo } from 'react'
import { useIsDark } from '../../../ui/hooks/use-look.ts'
import { canvasPath } from '../editor/paths.ts'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench } from '../editor/workbench.ts'
import { type Painting, paintingOf } from './drawing.ts'

/** The scene as one picture: made when it is first drawn, and anew when it changes. */
export function usePainting(): () => Painting {
  const bench = useWorkbench()
  const scene = useEditor((state) => bench.sceneOf(state))
  const errors = useEditor(({ resolved }) => resolved.errors)
  const selection = useEditor((state) => state.selection)
  const vocabulary = useEditor((state) => state.vocabulary)
  const isDark = useIsDark()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another look is painted with other colours
  return useMemo(() => {
    const wrong = new Set(errors.map(({ node }) => canvasPath(node)))
    let painting: Painting | null = null
    return () => {
      painting ??= paintingOf(scene, {
        categoryOf: (op) => vocabulary.catalogue.get(op)?.cat ?? 'block',
        isWrong: (path) => wrong.has(path),
        selection,
      })
      return painting
    }
  }, [scene, errors, selection, vocabulary, isDark])
}
