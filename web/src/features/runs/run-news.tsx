import type { LiveEvent } from '@neuroloom/contract/live'
import type { EndedRun } from '@neuroloom/contract/runs'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useLive } from '../../lib/live.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { tellOnce, tellsInBackground } from './told-runs.ts'

/** Its texts come with the first news. */
const NewsCards = lazyPart(async () => (await import('./news-cards.tsx')).NewsCards)

/** Tells a member, wherever in the workspace, that a run of theirs has ended: once, and not on that run's own page. */
export function RunNews({ userId }: { userId: string }) {
  const { pathname, search } = useLocation()
  const shownRun = pathname === '/run' ? new URLSearchParams(search).get('id') : null
  const [news, setNews] = useState<readonly EndedRun[]>([])
  /** What happened while nobody looked at this window. */
  const missed = useRef<EndedRun[]>([])
  const onRunPage = useRef(shownRun)
  onRunPage.current = shownRun

  const add = (runs: readonly EndedRun[]) =>
    setNews((known) => [...known, ...runs.filter(({ id }) => id !== onRunPage.current)])
  const look = useRef(() => {})
  look.current = () => {
    if (!document.hidden) add(missed.current.splice(0).filter(({ id }) => tellOnce(id)))
  }
  useEffect(() => {
    const handle = () => look.current()
    document.addEventListener('visibilitychange', handle)
    return () => document.removeEventListener('visibilitychange', handle)
  }, [])

  const handleEvent = (event: LiveEvent) => {
    if (event.type !== 'run') return
    // Made by the server after the contract's schema.
    const run = event.data as EndedRun
    // A notification of the browser is there once however many windows ask: it has the run's name.
    if (document.hidden && !tellsInBackground(userId)) missed.current.push(run)
    else if (document.hidden || tellOnce(run.id)) add([run])
  }
  useLive({ kind: 'user', id: userId }, { onEvent: handleEvent })
  if (news.length === 0) return null
  return (
    <Suspense fallback={null}>
      <NewsCards
        userId={userId}
        news={news}
        onTold={(told) => setNews((known) => known.filter((run) => !told.includes(run)))}
      />
    </Suspense>
  )
}
