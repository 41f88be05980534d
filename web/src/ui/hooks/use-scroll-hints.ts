/** For a row of tabs or a wide table that may not have room: the current one is in sight, and `data-more` says at which sides there are more, for theme.css to fade the row out there. */
import { useCallback } from 'react'

export function useScrollHints(): (row: HTMLElement | null) => (() => void) | undefined {
  return useCallback((row: HTMLElement | null) => {
    if (row === null) return
    const mark = () => {
      const left = row.scrollLeft > 1
      const right = row.scrollLeft + row.clientWidth < row.scrollWidth - 1
      row.dataset.more = [left && 'left', right && 'right'].filter(Boolean).join(' ')
    }
    const show = () => {
      showCurrent(row)
      mark()
    }
    show()
    // Its words may come later and in another language; its width follows the window.
    const observer = new MutationObserver(show)
    observer.observe(row, {
      childList: true,
      subtree: true,
      characterData: true,
      attributeFilter: ['aria-current'],
    })
    row.addEventListener('scroll', mark, { passive: true })
    window.addEventListener('resize', show)
    return () => {
      observer.disconnect()
      row.removeEventListener('scroll', mark)
      window.removeEventListener('resize', show)
    }
  }, [])
}

/** In the middle, so that its neighbours are seen too. */
function showCurrent(row: HTMLElement): void {
  const current = row.querySelector('[aria-current]')
  if (current === null) return
  const { left, width } = current.getBoundingClientRect()
  const place = row.getBoundingClientRect()
  row.scrollLeft += left - place.left - (place.width - width) / 2
}
