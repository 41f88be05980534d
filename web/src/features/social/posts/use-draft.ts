import { useRef, useState } from 'react'
import { newRequestId } from '../request-id.ts'

const keyOf = (name: string): string => `socialDraft:${name}`

/** A text that somebody writes: kept in this browser until it was sent, forgotten with the session. */
export function useDraft(name: string) {
  const [text, setText] = useState(() => localStorage.getItem(keyOf(name)) ?? '')
  const request = useRef({ content: '', id: '' })
  const keep = (changed: string) => {
    setText(changed)
    try {
      if (changed === '') localStorage.removeItem(keyOf(name))
      else localStorage.setItem(keyOf(name), changed)
    } catch {
      // The browser's storage is full: the text is still in its field.
    }
  }
  /** The same text, with the same things, has the same id: sent again after a lost answer it is written once. */
  const requestId = (ids: readonly string[] = []): string => {
    const content = [...ids, text].join('\n')
    if (request.current.content !== content) request.current = { content, id: newRequestId() }
    return request.current.id
  }
  return { text, setText: keep, requestId, clear: () => keep('') }
}
