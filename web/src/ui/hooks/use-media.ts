/** Whether a media query holds now, for what CSS alone cannot change. */
import { useCallback, useSyncExternalStore } from 'react'

/** As wide as a phone or a small tablet. */
export const useIsNarrow = (): boolean => useMedia('(width <= 860px)')

/** As wide as a phone held upright: long forms go step by step. */
export const useIsPhone = (): boolean => useMedia('(width <= 540px)')

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    // Rendered ahead, nobody knows the window.
    () => false,
  )
}
