import { useEffect, useState } from 'react'

/** Long enough to type a word, short enough not to be felt. */
const TYPING_MS = 250

/** A search field's text, and what it was once typing paused. */
export function useTyped() {
  const [text, setText] = useState('')
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), text === '' ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, setText, settled }
}
