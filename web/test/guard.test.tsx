import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Guard } from '../src/app/guard.tsx'
import { routes } from '../src/app/routes.tsx'
import * as session from '../src/lib/session.ts'
import { visibleToasts } from '../src/lib/toast.ts'
import { makeSetting, signIn } from './make.ts'
import { renderRoutes } from './render.tsx'
import { serve } from './serve.ts'

const guarded = [
  {
    Component: Guard,
    children: [
      { index: true, handle: { isPublic: true }, element: <h1>Front page</h1> },
      { path: 'login', handle: { isPublic: true }, element: <h1>Sign-in page</h1> },
      { path: 'mangeHome', element: <h1>Start page</h1> },
    ],
  },
]

describe('the guard', () => {
  it('sends a visitor to the front page with a warning', async () => {
    const { router } = renderRoutes(guarded, '/mangeHome')
    expect(await screen.findByRole('heading', { name: 'Front page' })).toBeVisible()
    expect(await screen.findByRole('alert')).toHaveTextContent('You are signed out. Please sign in again.')
    expect(router.state.location.pathname).toBe('/')
  })

  it('lets a visitor see public pages without a word', async () => {
    renderRoutes(guarded, '/login')
    expect(await screen.findByRole('heading', { name: 'Sign-in page' })).toBeVisible()
    expect(visibleToasts()).toEqual([])
  })

  it('lets somebody who is signed in go on', async () => {
    signIn()
    renderRoutes(guarded, '/mangeHome')
    expect(await screen.findByRole('heading', { name: 'Start page' })).toBeVisible()
  })

  it('leads to the front page when the session ends, without a second warning', async () => {
    signIn()
    renderRoutes(guarded, '/mangeHome')
    await screen.findByRole('heading', { name: 'Start page' })
    act(() => session.end())
    expect(await screen.findByRole('heading', { name: 'Front page' })).toBeVisible()
    expect(visibleToasts()).toEqual([])
  })
})

describe('the routes', () => {
  it.each([
    '/mangeHome',
    '/projectHome',
    '/projectDetail',
    '/cloudHome',
    '/cloudFile',
    '/run',
    '/userCenter',
  ])('%s is closed to visitors', async (path) => {
    serve({ 'setting/public': () => makeSetting({ trial: false }) })
    const { router } = renderRoutes(routes, path)
    await waitFor(() => expect(router.state.location.pathname).toBe('/'), { timeout: 15_000 })
  })

  it('an unknown address says so and offers a way back', async () => {
    renderRoutes(routes, '/nowhere')
    expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to the start' })).toHaveAttribute('href', '/')
  })
})
