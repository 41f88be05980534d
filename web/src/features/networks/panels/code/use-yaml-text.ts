import type { Document } from '@neuroloom/contract/network/document/document'
import type { DocumentProblem } from '@neuroloom/contract/network/resolve/problems'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { textOf } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'

/** Between the last keystroke and the taking over. */
const restMs = 300

/** A text that the document does not have: being typed, or with mistakes. */
type Draft = { text: string; problems: DocumentProblem[] }

/** The text of the code side: the document's, or the typed one until it can be read. */
export function useYamlText() {
  const store = useEditorStore()
  const [draft, setDraft] = useState<Draft | null>(null)
  const taken = useRef<{ text: string; document: Document } | null>(null)
  const pending = useRef<{ text: string; timer: ReturnType<typeof setTimeout> } | null>(null)
  const documentText = useDocumentText(taken)

  const takeNow = (text: string) => {
    clearTimeout(pending.current?.timer)
    pending.current = null
    const problems = store.getState().type(text)
    if (problems.length === 0) taken.current = { text, document: store.getState().document }
    setDraft(problems.length === 0 ? null : { text, problems })
  }
  const type = (text: string) => {
    clearTimeout(pending.current?.timer)
    pending.current = { text, timer: setTimeout(() => takeNow(text), restMs) }
    // Marks of the last try stay until the next one: they would flicker.
    setDraft((before) => ({ text, problems: before?.problems ?? [] }))
  }
  const latest = useRef(takeNow)
  latest.current = takeNow
  // Whoever closes the code side has typed to the end.
  useEffect(
    () => () => {
      if (pending.current !== null) latest.current(pending.current.text)
    },
    [],
  )

  return {
    text: draft?.text ?? documentText,
    problems: draft?.problems ?? noProblems,
    isUnread: draft !== null && draft.problems.length > 0,
    type,
    takeNow,
    giveUp: () => {
      clearTimeout(pending.current?.timer)
      pending.current = null
      setDraft(null)
    },
  }
}

const noProblems: DocumentProblem[] = []

/** What was typed stays as it was typed, at once; drawing goes on while the text follows. */
function useDocumentText(taken: { current: { text: string; document: Document } | null }): string {
  const now = useEditor((state) => state.document)
  const text = useDeferredValue(useEditor((state) => state.text))
  const document = useDeferredValue(now)
  const vocabulary = useEditor((state) => state.vocabulary)
  const { current } = taken
  const typed = current?.document === now ? current.text : null
  const isTyped = typed !== null
  const patched = useMemo(
    () => (isTyped ? '' : textOf({ text, document, vocabulary })),
    [isTyped, text, document, vocabulary],
  )
  return typed ?? patched
}
