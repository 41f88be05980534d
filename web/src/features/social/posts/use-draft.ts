import { useRef, useState } from 'react'
import { newRequestId } from '../request-id.ts'

const keyOf = (name: string): string => `socialDraft:${name}`

/** A text that somebody writes: kept in this browser until it was sent, forgotten with the session. */
export function useDraft(name: string) {
  const [text, setText] = useState(() => localStorage.getItem(keyOf(name)) ?? '')
  const request = useRef({ text: '', id: '' })
  const keep = (changed: string) => {
    setText(changed)
    try {
      if (changed === '') localStorage.removeItem(keyOf(name))
      else localStorage.setItem(keyOf(name), changed)
    } catch {
      // The browser's storage is full: the text is still in its field.
    }
  }
  /** The same text has the same id: sent again after a lost answer it is written once. */
  const requestId = (): string => {
    if (request.current.text !== text) request.current = { text, id: newRequestId() }
    return request.current.id
  }
  return { text, setText: keep, requestId, clear: () => keep('') }
}
