import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { focusHeading } from '../lib/arrival.ts'
import { withoutLanguage } from '../lib/language.ts'

/** What an address names a page of its own by, besides its path. */
const names = ['id', 'tool', 'study', 'set'] as const

/**
 * Gives the focus to the heading of each page but the first one: before the workspace, in it, and after it. `leaves`: this
 * page begins elsewhere.
 */
export function useHeadingFocus({ leaves }: { leaves: boolean }): void {
  const { pathname, search } = useLocation()
  const query = new URLSearchParams(search)
  const isEditor = query.has('item')
  // The same page in another language is no other page.
  const page = [withoutLanguage(pathname), isEditor, ...names.map((name) => query.get(name))].join(' ')
  const shown = useRef(page)
  const leavesNow = useRef(leaves)
  leavesNow.current = leaves
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    if (leavesNow.current) return
    return focusHeading()
  }, [page])
}
