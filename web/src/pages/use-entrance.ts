import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import * as goal from '../lib/goal.ts'

/** To where one wanted to go; with a data-group number to the groups of the cloud. For whoever has just been signed in. */
export function useEntrance(): () => void {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const group = query.get('nbr')
  useEffect(() => {
    if (group !== null) sessionStorage.setItem('current', '4')
  }, [group])
  return () => {
    const wanted = goal.take()
    void navigate(group === null ? wanted : `/cloudHome?nbr=${encodeURIComponent(group)}`, { replace: true })
  }
}
