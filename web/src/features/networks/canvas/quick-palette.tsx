import { Input, type InputRef } from 'antd'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { insertAfter, insertAt, startOf } from '../editor/inserting.ts'
import { type QuickPlace, useScreen } from '../editor/screen.ts'
import { useWorkbench, type Workbench } from '../editor/workbench.ts'
import type { Entry } from './entries.ts'
import { opFits, typeFrom } from './fitting.ts'
import styles from './palette.module.css'
import { search } from './search.ts'
import { useEntries } from './use-entries.ts'

/** Opens where one works: type a few letters, Enter. What fits the data at hand comes first; behind a drawn connection only that. */
export function QuickPalette() {
  const place = useScreen(({ quick }) => quick)
  return place === null ? null : <Open place={place} />
}

function Open({ place }: { place: QuickPlace }) {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const id = useId()
  const input = useRef<InputRef>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const { found, fits } = useFound(bench, place, query)
  useEffect(() => input.current?.focus(), [])
  const close = () => {
    const { set, focus, active } = bench.screen.getState()
    set({ quick: null })
    focus(active)
  }
  const choose = (entry: Entry | undefined, asBranch: boolean) => {
    if (entry === undefined) return
    bench.screen.getState().set({ quick: null })
    if (place.at === null) insertAfter(bench, entry, asBranch)
    else insertAt(bench, entry, place)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (step !== 0) setAt(Math.max(0, Math.min(found.length - 1, at + step)))
    else if (event.key === 'Enter') choose(found[at], event.shiftKey)
    else if (event.key === 'Escape' || event.key === 'Tab') close()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.quick} role="dialog" aria-label={t('quick.name')} onKeyDown={handleKeyDown}>
      <Input
        ref={input}
        placeholder={t('palette.search')}
        role="combobox"
        aria-label={t('palette.search')}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
        }}
        onBlur={(event) => {
          if (!event.relatedTarget?.closest(`[id="${id}"]`)) bench.screen.getState().set({ quick: null })
        }}
      />
      <div className={styles.quickList} role="listbox" id={id} aria-label={t('quick.found')} tabIndex={-1}>
        {found.map((entry, k) => (
          <Choice
            key={entry.id}
            id={`${id}-${k}`}
            entry={entry}
            isChosen={k === at}
            isMisfit={!fits.has(entry.id)}
            onChoose={() => choose(entry, false)}
          />
        ))}
        {found.length === 0 && <p className={styles.none}>{t('palette.none')}</p>}
      </div>
      <p className={styles.quickHint}>{t(place.at === null ? 'quick.keys' : 'quick.placeKeys')}</p>
    </div>
  )
}

type ChoiceProps = { id: string; entry: Entry; isChosen: boolean; isMisfit: boolean; onChoose: () => void }

function Choice({ id, entry, isChosen, isMisfit, onChoose }: ChoiceProps) {
  const { t } = useTranslation('dripe')
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isChosen])
  return (
    // The field above holds the focus and the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={ref}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={styles.entry}
      data-category={entry.category}
      data-misfit={isMisfit}
      title={isMisfit ? t('quick.misfit') : entry.help}
      onClick={onChoose}
    >
      {entry.title}
      <span className={styles.kind}>{t(`palette.group.${entry.group}`)}</span>
    </div>
  )
}

const shown = 60

function useFound(bench: Workbench, place: QuickPlace, query: string) {
  const entries = useEntries()
  const fits = useMemo(() => {
    const from = place.from ?? (place.at === null ? startOf(bench) : null)
    const { document, vocabulary, resolved } = bench.store.getState()
    const type = from === null ? null : typeFrom(bench.scene, from, resolved)
    const fitting = entries.filter((entry) => {
      const blocks = entry.brings ?? document.blocks
      return opFits(entry.op, type, { vocabulary, blocks })
    })
    return new Set(fitting.map(({ id }) => id))
  }, [bench, entries, place])
  const found = useMemo(() => {
    const all = search(entries, query)
    const fitting = all.filter(({ id }) => fits.has(id))
    const others = place.from === null ? all.filter(({ id }) => !fits.has(id)) : []
    return [...fitting, ...others].slice(0, shown)
  }, [entries, query, fits, place])
  return { found, fits }
}
