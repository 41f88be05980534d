import {
  type AllowedSizes,
  allowedSizes,
  commonRule,
  probedSizes,
} from '@neuroloom/contract/network/resolve/sizes'
import { useEffect, useState } from 'react'
import { whenIdle } from '../../../../lib/quiet.ts'
import { useEditor } from '../../editor/use-editor.ts'

/** Sizes tried in one go: a large network takes some milliseconds each. */
const portion = 4
/** Typing goes on undisturbed; then the page looks. */
const restMs = 600

/** Found out piece by piece while nothing else is to do; null until then. */
export function useAllowedSizes(): AllowedSizes | null {
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const facts = useEditor(({ data }) => data?.facts)
  const [found, setFound] = useState<{ of: unknown; sizes: AllowedSizes } | null>(null)

  useEffect(() => {
    const memory = new Map()
    const options = { ...vocabulary, memory, ...(facts === undefined ? {} : { data: facts }) }
    const works: number[] = []
    let at = 0
    let cancel = () => {}
    const look = () => {
      const sizes = probedSizes.slice(at, at + portion)
      works.push(...allowedSizes(document, options, sizes).works)
      at += portion
      if (at < probedSizes.length) cancel = whenIdle(look)
      else setFound({ of: document, sizes: { works, multipleOf: commonRule(works, probedSizes) } })
    }
    const timer = setTimeout(() => {
      cancel = whenIdle(look)
    }, restMs)
    return () => {
      clearTimeout(timer)
      cancel()
    }
  }, [document, vocabulary, facts])

  return found?.of === document ? found.sizes : null
}
