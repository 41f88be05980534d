import { client } from '@neuroloom/contract/limits'
import type { LiveEvent } from '@neuroloom/contract/live'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../lib/live.ts'
import { refreshPaths, useCall } from '../../lib/query.ts'
import { applyEvent, type Detail, hasEnded, type Warning, warningOf } from './apply-event.ts'

/** One run as the server knows it, kept current by live events until it has ended. */
export function useRun(id: string) {
  const queries = useQueryClient()
  const query = useCall(
    'runs/detail',
    { id },
    {
      quiet: true,
      // The place in the queue changes by what others do, which this run's own events do not tell.
      refetchInterval: ({ state }) => (state.data?.run.state === 'queued' ? client.pollMs : false),
    },
  )
  const [warnings, setWarnings] = useState<readonly Warning[]>([])
  const isLive = query.data !== undefined && !hasEnded(query.data)

  const handleEvent = (event: LiveEvent) => {
    const warning = warningOf(event)
    if (warning) setWarnings((known) => [...known.filter(({ code }) => code !== warning.code), warning])
    const key = ['runs/detail', { id }]
    const detail = queries.getQueryData<Detail>(key)
    if (!detail) return
    const applied = applyEvent(detail, event)
    if (applied.detail !== detail) queries.setQueryData<Detail>(key, applied.detail)
    if (applied.stale) refreshPaths(queries, ['runs/detail', 'runs/list', 'projects/detail'])
  }

  const { connected } = useLive(isLive ? { kind: 'run', id } : null, {
    after: query.data?.run.lastEventId ?? 0,
    onEvent: handleEvent,
  })
  return { query, warnings, connected }
}
