/** Whether the window is as narrow as a phone or a small tablet. For what CSS alone cannot change. */
import { useSyncExternalStore } from 'react'

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow)
}

const query = '(width <= 860px)'
const isNarrow = (): boolean => window.matchMedia(query).matches

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}
