import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** Of the file that is shown large, for whoever may see it; it opens where the file lies. */
export const fileAddress = (id: string, beside: readonly string[] = []): string =>
  `/cloudFile?${new URLSearchParams({ file: id, ...(beside.length > 0 ? { beside: beside.join(',') } : {}) })}`

/** Which file is shown large stands in the address: going back closes it, and the address can be passed on. */
export function useFileAddress() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const { state } = useLocation()
  // Whether going back leads to the list that the file was opened from.
  const isOpenedHere: boolean = typeof state === 'object' && state !== null && 'isOpenedHere' in state
  const go = useCallback(
    (id: string | null, replace: boolean) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          // Of the file that was shown.
          next.delete('view')
          next.delete('beside')
          if (id === null) next.delete('file')
          else next.set('file', id)
          return next
        },
        {
          replace,
          ...(id === null ? {} : { state: { isOpenedHere: !replace || isOpenedHere || undefined } }),
        },
      ),
    [setParams, isOpenedHere],
  )
  return {
    fileId: params.get('file'),
    open: useCallback((id: string) => go(id, false), [go]),
    move: useCallback((id: string) => go(id, true), [go]),
    close: useCallback(
      () => (isOpenedHere ? void navigate(-1) : go(null, true)),
      [go, navigate, isOpenedHere],
    ),
  }
}
