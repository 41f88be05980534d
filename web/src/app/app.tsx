import { Suspense, useEffect } from 'react'
import { type createBrowserRouter, RouterProvider } from 'react-router'
import * as session from '../lib/session.ts'
import { Toaster } from '../ui/toaster.tsx'

/** The whole application: routes and, above them, the messages. */
export function App({ router }: { router: ReturnType<typeof createBrowserRouter> }) {
  useEffect(() => {
    let signedIn = session.user() !== null
    // Wherever a session ends, in this tab or another, the way leads to the front page.
    return session.subscribe(() => {
      const was = signedIn
      signedIn = session.user() !== null
      if (was && !signedIn) void router.navigate('/')
    })
  }, [router])

  return (
    <Suspense fallback={null}>
      <RouterProvider router={router} />
      <Toaster />
    </Suspense>
  )
}
