import type { Fix } from '@neuroloom/contract/network/fix/fixes'
import type { ErrorCode, Problem, WarningCode } from '@neuroloom/contract/network/resolve/problems'
import { useEffect, useState } from 'react'
import { lastingly } from '../../../../lib/bring.ts'
import { whenIdle } from '../../../../lib/quiet.ts'
import { useEditor } from '../../editor/use-editor.ts'

/** Each repair is tried on the whole network: while one types, nobody reads them. */
const restMs = 150

/** Tested repairs of a problem; null until they are found. */
export function useFixes(problem: Problem<ErrorCode | WarningCode>): Fix[] | null {
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const facts = useEditor(({ data }) => data?.facts)
  const [found, setFound] = useState<{ of: unknown; fixes: Fix[] } | null>(null)
  const isCurrent = found?.of === problem

  useEffect(() => {
    let cancel = () => {}
    let isWanted = true
    const look = async () => {
      const data = facts === undefined ? {} : { data: facts }
      const { fixesFor } = await lastingly(() => import('@neuroloom/contract/network/fix/fixes'))
      if (!isWanted) return
      setFound({ of: problem, fixes: fixesFor(problem, document, { ...vocabulary, ...data }) })
    }
    const timer = setTimeout(() => {
      cancel = whenIdle(() => {
        look().catch((error: unknown) => console.error(error))
      })
    }, restMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
      cancel()
    }
  }, [problem, document, vocabulary, facts])

  return isCurrent ? found.fixes : null
}
