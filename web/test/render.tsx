/** Shows routes of the application, or one element, as a person meets them. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type RenderResult, render } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { makeQueryClient } from '../src/lib/query.ts'
import { Toaster } from '../src/ui/toaster.tsx'

type Router = ReturnType<typeof createMemoryRouter>

export function renderRoutes(routes: RouteObject[], address: string): RenderResult & { router: Router } {
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const result = render(
    <Suspense>
      <RouterProvider router={router} />
      <Toaster />
    </Suspense>,
  )
  return { ...result, router }
}

/** One part of a page, with server data and links working. */
export function renderPart(part: ReactNode, address = '/'): RenderResult & { router: Router } {
  const client = makeQueryClient()
  const element = <QueryClientProvider client={client}>{part}</QueryClientProvider>
  return renderRoutes([{ path: '*', element }], address)
}
