import { useRef } from 'react'
import { SiteSearch } from './site-search.tsx'
import { useShortcut } from './use-shortcut.ts'

/** The search in a bar that has room for it. */
export function BarSearch() {
  const box = useRef<HTMLInputElement>(null)
  useShortcut('search', () => {
    box.current?.focus()
    box.current?.select()
  })
  return <SiteSearch place={box} />
}
