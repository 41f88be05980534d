/** Light or dark: as the system has it, unless a person chose one at this browser. build/first-script.ts reads the same before anything is drawn. */
import { useSyncExternalStore } from 'react'
import { useMedia } from './use-media.ts'

export const looks = ['system', 'light', 'dark'] as const
export type Look = (typeof looks)[number]

export function storedLook(): Look {
  const stored = localStorage.getItem('look')
  return looks.find((look) => look === stored) ?? 'system'
}

/** Shows it at once, and keeps it for the next visit. */
export function setLook(look: Look): void {
  localStorage.setItem('look', look)
  showLook()
  for (const listener of listeners) listener()
}

/** Says it to the style sheets. */
export function showLook(): void {
  document.documentElement.dataset.look = storedLook()
}

export const useLook = (): Look => useSyncExternalStore(subscribe, storedLook, () => 'system')

/** For what is not drawn by style sheets: charts, and Ant Design. */
export function useIsDark(): boolean {
  const look = useLook()
  const isDarkSystem = useMedia('(prefers-color-scheme: dark)')
  return look === 'dark' || (look === 'system' && isDarkSystem)
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Chosen in another tab.
  const onStorage = ({ key }: StorageEvent): void => {
    if (key !== 'look') return
    showLook()
    listener()
  }
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}
