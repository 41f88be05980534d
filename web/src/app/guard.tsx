import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type GetScrollRestorationKeyFunction,
  Navigate,
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
} from 'react-router'
import * as goal from '../lib/goal.ts'
import { useUser, wasSignedOut } from '../lib/session.ts'
import { toast } from '../lib/toast.ts'
import styles from './page-progress.module.css'
import { useHeadingFocus } from './use-heading-focus.ts'

/** A kept page is found where it was left, however one comes back to it. */
const scrollKey: GetScrollRestorationKeyFunction = ({ pathname, key }, matches) =>
  merged(matches.map(({ handle }) => handle)).keepAlive ? pathname : key

/** Set as `handle` of routes. */
export type RouteHandle = {
  /** Needs no sign-in. */
  isPublic?: boolean
  /** Stays as it was left while another page is shown. */
  keepAlive?: boolean
  /** With an id in its address it is an editor, which gives the focus to what is drawn. */
  beginsOnCanvas?: boolean
}

/** What the routes of this page say of it. */
export function useRouteHandle(): RouteHandle {
  return merged(useMatches().map(({ handle }) => handle))
}

/** Of the routes that matched, the outer ones first. */
export const isPublicPage = (routes: readonly { handle?: unknown }[]): boolean =>
  merged(routes.map(({ handle }) => handle)).isPublic === true

/** Every handle in routes.tsx is a RouteHandle; an inner one adds to the outer ones. */
const merged = (handles: readonly unknown[]): RouteHandle => Object.assign({}, ...handles)

/** Routes flagged public pass freely; a visitor anywhere else is sent to the front page with a warning, and comes back after signing in. */
export function Guard() {
  const { t } = useTranslation('common')
  const user = useUser()
  const wasSignedIn = useRef(user !== null)
  const { isPublic, beginsOnCanvas = false } = useRouteHandle()
  const isRefused = !isPublic && user === null
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  useHeadingFocus({ leaves: beginsOnCanvas && search.includes('id=') })

  useEffect(() => {
    // Whoever ended a session has said so already.
    if (isRefused && !wasSignedIn.current) {
      goal.remember({ pathname, search, hash })
      toast.warning(t(wasSignedOut() ? 'signInFirst' : 'signInToGoOn'), {
        action: { label: t('signIn'), onClick: () => void navigate('/login') },
      })
    }
    // Until the front page is there, more than one reason may bring this here again.
    if (!isRefused) wasSignedIn.current = user !== null
  }, [isRefused, user, t, navigate, pathname, search, hash])

  if (isRefused) return <Navigate to="/" replace />
  // The server lets nobody do anything else before.
  if (!isPublic && user?.mustChangePassword) return <Navigate to="/firstPassword" replace />
  return (
    <>
      <PageProgress />
      <Outlet />
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

/** A thin line along the top while the next page loads; quick pages come before it shows. */
function PageProgress() {
  const { t } = useTranslation('common')
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div className={styles.line} role="progressbar" aria-label={t('loading')} />
}
