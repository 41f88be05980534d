import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { type DragEvent, type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { insertAfter } from '../editor/inserting.ts'
import { useWorkbench } from '../editor/workbench.ts'
import { type Entry, groups } from './entries.ts'
import styles from './palette.module.css'
import { search } from './search.ts'
import { useCarrying } from './use-carrying.ts'
import { dragType } from './use-dropping.ts'
import { useEntries } from './use-entries.ts'

/** All layers and blocks by category, found by any word of the three languages; dragged to the canvas or put behind the selection. */
export function Palette() {
  const { t } = useTranslation('dripe')
  const entries = useEntries()
  const [query, setQuery] = useState('')
  const typed = useDeferredValue(query)
  const found = useMemo(() => search(entries, typed), [entries, typed])
  const bench = useWorkbench()
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    // Of what stands in the field now: the list may still show what was found before.
    const [first] = search(entries, query)
    if (first) insertAfter(bench, first)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows walk from the field to the buttons and back
    <div className={styles.palette} onKeyDown={walk}>
      <div className={styles.search}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('palette.search')}
          aria-label={t('palette.search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={handleKeyDown}
        />
      </div>
      <div className={styles.list}>
        {typed.trim() === '' ? (
          groups.map((group) => <Group key={group} group={group} entries={entries} />)
        ) : (
          <Entries entries={found} />
        )}
        {found.length === 0 && <p className={styles.none}>{t('palette.none')}</p>}
      </div>
    </div>
  )
}

function Group({ group, entries }: { group: (typeof groups)[number]; entries: readonly Entry[] }) {
  const { t } = useTranslation('dripe')
  const own = entries.filter((entry) => entry.group === group)
  const [isOpen, setIsOpen] = useState(group === 'own' || group === 'conv' || group === 'library')
  if (own.length === 0) return null
  return (
    <details className={styles.group} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {t(`palette.group.${group}`)} <span className={styles.number}>{own.length}</span>
      </summary>
      {isOpen && <Entries entries={own} />}
    </details>
  )
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const bench = useWorkbench()
  const carry = useCarrying()
  return (
    <ul className={styles.entries}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            className={styles.entry}
            data-category={entry.category}
            title={entry.help}
            // Over a hundred of them: the arrows lead here, the Tab key goes on.
            tabIndex={-1}
            draggable
            // Else browsers differ in what a held finger drags.
            onPointerDown={({ currentTarget, pointerType }) => {
              currentTarget.draggable = pointerType !== 'touch'
            }}
            onDragStart={(event) => startDrag(event, entry)}
            onTouchStart={(event) => carry(event, entry)}
            onClick={() => insertAfter(bench, entry)}
          >
            {entry.title}
          </button>
        </li>
      ))}
    </ul>
  )
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
  if (step === 0) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, summary, li > button')]
  const { activeElement } = document
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1
  const next = stops[at + step]
  if (at < 0 || next === undefined) return
  event.preventDefault()
  next.focus()
}

function startDrag({ dataTransfer }: DragEvent, { id }: Entry): void {
  dataTransfer.setData(dragType, id)
  dataTransfer.effectAllowed = 'copy'
}
