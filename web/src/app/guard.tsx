import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, ScrollRestoration, useMatches } from 'react-router'
import { useUser } from '../lib/session.ts'
import { toast } from '../lib/toast.ts'
import { PageProgress } from './page-progress.tsx'

/** Set as `handle` of routes that need no sign-in. */
export type RouteHandle = { isPublic?: boolean }

/** Routes flagged public pass freely; a visitor anywhere else is sent to the front page with a warning. */
export function Guard() {
  const { t } = useTranslation('common')
  const user = useUser()
  const wasSignedIn = useRef(user !== null)
  // Every handle in routes.tsx is a RouteHandle.
  const isPublic = useMatches().some((match) => (match.handle as RouteHandle | undefined)?.isPublic)
  const isRefused = !isPublic && user === null

  useEffect(() => {
    // Whoever ended a session has said so already.
    if (isRefused && !wasSignedIn.current) toast.warning(t('signInFirst'))
    wasSignedIn.current = user !== null
  }, [isRefused, user, t])

  if (isRefused) return <Navigate to="/" replace />
  return (
    <>
      <PageProgress />
      <Outlet />
      <ScrollRestoration />
    </>
  )
}
