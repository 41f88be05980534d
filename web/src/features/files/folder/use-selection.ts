import type { Entry } from '@neuroloom/contract/files'
import { useRef, useState } from 'react'

/** Which entries are chosen: one by one, a row of them with Shift, or all that are shown. */
export function useSelection(entries: readonly Entry[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  // What is gone can no longer be selected.
  const selected = chosen.size === 0 ? [] : entries.filter(({ id }) => chosen.has(id))

  const toggle = (id: string, isRange: boolean) => {
    const next = new Set(chosen)
    const isOn = !chosen.has(id)
    for (const one of isRange ? between(entries, anchor.current, id) : [id]) {
      if (isOn) next.add(one)
      else next.delete(one)
    }
    anchor.current = id
    setChosen(next)
  }
  return {
    selected,
    has: (id: string) => chosen.has(id),
    toggle,
    all: () => setChosen(new Set(entries.map(({ id }) => id))),
    clear: () => setChosen(new Set()),
    /** What a drag or a menu that begins at this entry is about. */
    with: (entry: Entry): Entry[] => (chosen.has(entry.id) ? selected : [entry]),
  }
}

export type Selection = ReturnType<typeof useSelection>

function between(entries: readonly Entry[], from: string | null, to: string): string[] {
  const ends = [from ?? to, to].map((id) => entries.findIndex((entry) => entry.id === id))
  if (ends.some((index) => index < 0)) return [to]
  return entries.slice(Math.min(...ends), Math.max(...ends) + 1).map(({ id }) => id)
}
