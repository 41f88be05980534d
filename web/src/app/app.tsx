import { Suspense, useEffect } from 'react'
import { type createBrowserRouter, RouterProvider } from 'react-router'
import * as goal from '../lib/goal.ts'
import * as session from '../lib/session.ts'
import { Toaster } from '../ui/toaster.tsx'
import { isPublicPage } from './guard.tsx'

/** The whole application: routes and, above them, the messages. */
export function App({ router }: { router: ReturnType<typeof createBrowserRouter> }) {
  useEffect(() => {
    let user = session.user()
    // Wherever a session ends, in this tab or another, the way leads to the front page; the same account comes back.
    return session.subscribe(() => {
      const before = user
      user = session.user()
      if (before === null || user !== null) return
      const { location, matches } = router.state
      if (!isPublicPage(matches.map(({ route }) => route))) goal.remember(location, before.id)
      void router.navigate('/')
    })
  }, [router])

  return (
    <Suspense fallback={null}>
      <RouterProvider router={router} />
      <Toaster />
    </Suspense>
  )
}
