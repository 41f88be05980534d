import type { Answer } from '@neuroloom/contract/calls'
import type { PlanTable } from '@neuroloom/contract/limits'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'

/** What the levels allow on this server, once it is known; undefined = the product's own numbers, with which pages are rendered ahead. */
export function usePlanTable(): PlanTable | undefined {
  const [table, setTable] = useState<PlanTable>()
  useEffect(() => {
    let isMounted = true
    call('plans/limits', {}, { quiet: true }).then(
      ({ levels }: Answer<'plans/limits'>) => {
        if (isMounted && levels.length !== 0) setTable(levels)
      },
      // The page is whole without.
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [])
  return table
}
