import type { Statement } from '@neuroloom/contract/statements'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call, messageOf, NetworkError } from '../../../lib/api.ts'
import { refreshPaths } from '../../../lib/query.ts'
import { draftOf, dropDraft, keepDraft } from './drafts.ts'

/** A pause in typing after which an answer is saved; and between tries on a lost line. */
const SAVE_MS = 1200
const RETRY_MS = 5000

type AnswerState = 'same' | 'typing' | 'saving' | 'saved' | 'waiting' | 'refused'

type Asked = { projectId: string; name: Statement; stored: string }

/** One answer as it is typed: saved after a pause, tried again on a lost line, kept in the browser meanwhile. */
export function useAnswer({ projectId, name, stored }: Asked) {
  const queries = useQueryClient()
  const [text, setText] = useState(() => draftOf(projectId, name) ?? stored)
  const [state, setState] = useState<AnswerState>(text === stored ? 'same' : 'typing')
  const [failure, setFailure] = useState('')
  const latest = useRef({ text, saved: stored })

  const save = useCallback(async () => {
    const sent = latest.current.text
    if (sent === latest.current.saved) return
    setState('saving')
    try {
      const { statements } = await call(
        'projects/setStatement',
        { id: projectId, name, text: sent },
        { quiet: true },
      )
      latest.current.saved = sent
      queries.setQueryData(['projects/statements', { id: projectId }], { statements })
      refreshPaths(queries, ['reports/show'])
      if (latest.current.text !== sent) return setState('typing')
      dropDraft(projectId, name)
      setState('saved')
    } catch (error) {
      setFailure(messageOf(error))
      setState(error instanceof NetworkError ? 'waiting' : 'refused')
    }
  }, [projectId, name, queries])

  useEffect(() => {
    if (state !== 'typing' && state !== 'waiting') return
    const timer = setTimeout(() => void save(), state === 'typing' ? SAVE_MS : RETRY_MS)
    return () => clearTimeout(timer)
  }, [state, save])

  useEffect(() => {
    const handleOnline = () => void save()
    window.addEventListener('online', handleOnline)
    return () => {
      window.removeEventListener('online', handleOnline)
      // Whoever leaves the page has said what there was to say.
      void save()
    }
  }, [save])

  // Somebody else may have answered meanwhile; what is being typed here is not touched by that.
  useEffect(() => {
    const { text: typed, saved } = latest.current
    if (typed !== saved || stored === saved.trim()) return
    latest.current = { text: stored, saved: stored }
    setText(stored)
  }, [stored])

  function type(next: string): void {
    latest.current.text = next
    setText(next)
    keepDraft(projectId, name, next)
    // A text that is being sent is followed by the newer one.
    setState((now) => (now === 'saving' ? now : 'typing'))
  }

  return { text, state, failure, type, save }
}
