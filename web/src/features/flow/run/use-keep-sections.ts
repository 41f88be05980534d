import type { FlowSection } from '@neuroloom/contract/flow/run'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../../lib/query.ts'

export type Saving = 'saving' | 'saved' | 'notSaved'

/** A plane that is being moved is kept once it rests. */
const REST_MS = 800

/** Keeps the planes of a run one after the other; what waits is kept when the page is left. */
export function useKeepSections(runId: string) {
  const { mutateAsync } = useAction('flow/keepSections', { refresh: ['flow/run'] })
  const [saving, setSaving] = useState<Saving | null>(null)
  const waiting = useRef<{ timer: number; sections: FlowSection[] } | null>(null)
  const line = useRef<Promise<unknown>>(Promise.resolve())

  const send = useRef(() => {})
  send.current = () => {
    const next = waiting.current
    if (next === null) return
    clearTimeout(next.timer)
    waiting.current = null
    const { sections } = next
    line.current = line.current
      .then(() => mutateAsync({ runId, sections }))
      .then(
        () => waiting.current === null && setSaving('saved'),
        // Why is told by the call.
        () => setSaving('notSaved'),
      )
  }
  useEffect(() => () => send.current(), [])

  const keep = (sections: FlowSection[]) => {
    if (waiting.current) clearTimeout(waiting.current.timer)
    setSaving('saving')
    waiting.current = { sections, timer: window.setTimeout(() => send.current(), REST_MS) }
  }
  return { saving, keep }
}
