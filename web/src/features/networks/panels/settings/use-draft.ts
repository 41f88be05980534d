import { useState } from 'react'

/**
 * A text as it is being typed beside the value that stands in the document: `0.` or `=2*wi` stays while the value is the
 * last good one. When the value changes from elsewhere (undo, another field), the typed text goes.
 */
export function useDraft<T>(written: T): {
  shown: T
  isDraft: boolean
  /** `next`: what the document holds after this keystroke, if it took it. */
  type: (text: T, next?: T) => void
  drop: () => void
} {
  const [draft, setDraft] = useState<{ text: T; of: string } | null>(null)
  const isDraft = draft !== null && draft.of === JSON.stringify(written)
  return {
    shown: isDraft ? draft.text : written,
    isDraft,
    type: (text, next = written) => setDraft({ text, of: JSON.stringify(next) }),
    drop: () => setDraft(null),
  }
}

/** Keystrokes in one field are one step of undo, until it is left. */
export function nextTurn(): number {
  turns += 1
  return turns
}

let turns = 0
