import type { Examination } from '@neuroloom/contract/recipes/doctor'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/api.ts'

type Looked = {
  found: Examination | null
  /** Pairs that were looked at. */
  done: number
  isWhole: boolean
  error: unknown
}

const nothing: Looked = { found: null, done: 0, isWhole: false, error: null }

/** Looks at a folder a few pairs at a time, until it is through; begins anew with other folders of masks. */
export function useExamination(folderId: string, maskIds: readonly string[] | null, round: number): Looked {
  const [looked, setLooked] = useState(nothing)
  const asked = maskIds?.join() ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins anew
  useEffect(() => {
    const { signal, end } = ended()
    setLooked(nothing)
    const body = { folderId, maskIds: asked === null ? null : asked.split(',').filter(Boolean) }
    const go = async () => {
      const pairs: Examination['pairs'] = []
      for (let from: number | null = 0; from !== null; ) {
        const answer: Examination = await call('recipes/examine', { ...body, from }, { quiet: true, signal })
        pairs.push(...answer.pairs)
        from = answer.next
        if (signal.aborted) return
        const found = { ...answer, pairs: [...pairs] }
        setLooked({ found, done: pairs.length, isWhole: from === null, error: null })
      }
    }
    go().catch((error: unknown) => signal.aborted || setLooked((before) => ({ ...before, error })))
    return end
  }, [folderId, asked, round])
  return looked
}

function ended() {
  const controller = new AbortController()
  return { signal: controller.signal, end: () => controller.abort() }
}
