import type { Answer } from '@neuroloom/contract/calls'
import type { Measured } from '@neuroloom/contract/recipes/algebra'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/api.ts'
import type { ChosenFolder } from './chosen.ts'

export type MeasuredIn = Measured & { folder: string }
type Measures = {
  masks: readonly MeasuredIn[]
  /** Of folders that were begun. */
  total: number
  isWhole: boolean
  error: unknown
}

const nothing: Measures = { masks: [], total: 0, isWhole: false, error: null }

/** Measures all masks of some folders, a part at a time, until it is through; `round` 0 has not begun. */
export function useMeasures(folders: readonly ChosenFolder[], round: number): Measures {
  const [measures, setMeasures] = useState(nothing)
  const asked = JSON.stringify(folders)
  useEffect(() => {
    setMeasures(nothing)
    if (round === 0) return
    const controller = new AbortController()
    const { signal } = controller
    const go = async () => {
      const list: readonly ChosenFolder[] = JSON.parse(asked)
      const masks: MeasuredIn[] = []
      let before = 0
      for (const { id: folderId, name: folder } of list) {
        for (let from: number | null = 0; from !== null; ) {
          const answer: Answer<'recipes/measure'> = await call(
            'recipes/measure',
            { folderId, from },
            { quiet: true, signal },
          )
          if (signal.aborted) return
          masks.push(...answer.masks.map((mask) => ({ ...mask, folder })))
          from = answer.next
          setMeasures({ masks: [...masks], total: before + answer.total, isWhole: false, error: null })
          if (from === null) before += answer.total
        }
      }
      setMeasures({ masks, total: before, isWhole: true, error: null })
    }
    go().catch((error: unknown) => signal.aborted || setMeasures((old) => ({ ...old, error })))
    return () => controller.abort()
  }, [asked, round])
  return measures
}
