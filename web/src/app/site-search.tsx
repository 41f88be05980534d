import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { messageOf } from '../lib/api.ts'
import { toast } from '../lib/toast.ts'
import { useTyped } from '../ui/hooks/use-typed.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { SearchIcon } from '../ui/pictures/pictograms.tsx'
import { type Found, ownCount, searchAll } from './search-all.ts'
import styles from './site-search.module.css'

/** Brings texts along that the bar need not wait for. */
const SearchResults = lazyPart(async () => (await import('./search-results.tsx')).SearchResults)

type SiteSearchProps = {
  onFound?: () => void
  /** What is found stands below the field instead of over the page. */
  isInline?: boolean
  /** Takes the focus as soon as it is to be seen. */
  begins?: boolean
  /** Where somebody who comes by a key finds it. */
  place?: RefObject<HTMLInputElement | null>
}

/**
 * Looks for typed text on the public pages and among the member's own things, and lists what it found. Where a page is
 * all there is, it goes there at once (specification, section 2); to leave the workspace otherwise is to be chosen.
 */
export function SiteSearch({ onFound, isInline = false, begins = false, place }: SiteSearchProps) {
  const { t } = useTranslation('workspace')
  const navigate = useNavigate()
  const { text, setText, found, setFound, look } = useSearch()
  const [isOpen, setIsOpen] = useState(true)
  const ownBox = useRef<HTMLInputElement>(null)
  const box = place ?? ownBox
  useEffect(() => {
    const field = box.current
    if (!begins || !field) return
    // A menu that slides in takes no focus before it can be seen.
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      watcher.disconnect()
      field.focus()
    })
    watcher.observe(field)
    return () => watcher.disconnect()
  }, [begins, box])
  const leave = () => {
    setText('')
    setFound(null)
    onFound?.()
  }
  const search = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === '') return toast.warning(t('search.empty'))
    setIsOpen(true)
    const result = await look(wanted)
    if (ownCount(result) > 0) return
    if (result.page === null)
      return result.error === null
        ? toast.warning(t('search.notFound'))
        : toast.error(messageOf(result.error))
    leave()
    await navigate(result.page)
  }
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      setIsOpen(false)
      box.current?.focus()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event)
  }
  return (
    <search
      className={styles.place}
      data-inline={isInline}
      onKeyDown={handleKey}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false)
      }}
    >
      <form className={styles.search} onSubmit={(event) => void search(event)}>
        <input
          ref={box}
          type="search"
          value={text}
          maxLength={100}
          placeholder={t('search.hint')}
          aria-label={t('search.label')}
          aria-keyshortcuts="/ Control+K Meta+K"
          onClick={() => setIsOpen(true)}
          onChange={({ target }) => {
            setText(target.value)
            setIsOpen(true)
          }}
        />
        <button type="submit" aria-label={t('search.go')}>
          <SearchIcon />
        </button>
      </form>
      {found !== null && isOpen && (found.page !== null || ownCount(found) > 0) && (
        // Browsers that give links no focus by a click give it to this: else the click would close what it is on.
        <div className={styles.results} tabIndex={-1}>
          <Suspense fallback={null}>
            <SearchResults found={found} onGo={leave} />
          </Suspense>
        </div>
      )}
    </search>
  )
}

/** What the text in the field finds, once typing pauses or somebody asks. */
function useSearch() {
  const { text, setText, settled } = useTyped()
  const [found, setFound] = useState<Found | null>(null)
  const asked = useRef('')
  const look = async (wanted: string): Promise<Found> => {
    asked.current = wanted
    const result = await searchAll(wanted)
    // An answer to what was typed before would take the place of a newer one.
    if (asked.current === wanted) setFound(result)
    return result
  }
  const lookAgain = useRef(look)
  lookAgain.current = look
  useEffect(() => {
    asked.current = settled
    if (settled === '') setFound(null)
    else void lookAgain.current(settled)
  }, [settled])
  return { text, setText, found, setFound, look }
}

/** From the field to the first result and on, and back. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')]
  const step = event.key === 'ArrowDown' ? 1 : -1
  const next = stops[stops.indexOf(event.target as HTMLElement) + step] // The focused element, or -1 + 1 = the field.
  if (!next) return
  event.preventDefault()
  next.focus()
}
