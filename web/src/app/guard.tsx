import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type GetScrollRestorationKeyFunction,
  Navigate,
  Outlet,
  ScrollRestoration,
  useMatches,
} from 'react-router'
import { useUser } from '../lib/session.ts'
import { toast } from '../lib/toast.ts'
import { PageProgress } from './page-progress.tsx'

/** A kept page is found where it was left, however one comes back to it. */
const scrollKey: GetScrollRestorationKeyFunction = ({ pathname, key }, matches) =>
  merged(matches.map(({ handle }) => handle)).keepAlive ? pathname : key

/** Set as `handle` of routes. */
export type RouteHandle = {
  /** Needs no sign-in. */
  isPublic?: boolean
  /** Stays as it was left while another page is shown. */
  keepAlive?: boolean
}

/** What the routes of this page say of it. */
export function useRouteHandle(): RouteHandle {
  return merged(useMatches().map(({ handle }) => handle))
}

/** Every handle in routes.tsx is a RouteHandle; an inner one adds to the outer ones. */
const merged = (handles: readonly unknown[]): RouteHandle => Object.assign({}, ...handles)

/** Routes flagged public pass freely; a visitor anywhere else is sent to the front page with a warning. */
export function Guard() {
  const { t } = useTranslation('common')
  const user = useUser()
  const wasSignedIn = useRef(user !== null)
  const { isPublic } = useRouteHandle()
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
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}
