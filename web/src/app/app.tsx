import { Suspense, useEffect, useState } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import * as session from '../lib/session.ts'
import { Toaster } from '../ui/toaster.tsx'
import { routes } from './routes.tsx'

/** The whole application: routes and, above them, the messages. */
export function App() {
  const [router] = useState(() => createBrowserRouter(routes, { basename: import.meta.env.BASE_URL }))

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
