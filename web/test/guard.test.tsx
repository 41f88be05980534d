import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, type RouteObject } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { App } from '../src/app/app.tsx'
import { Guard } from '../src/app/guard.tsx'
import { routes } from '../src/app/routes.tsx'
import { call } from '../src/lib/api.ts'
import * as goal from '../src/lib/goal.ts'
import { setLanguage } from '../src/lib/i18n.ts'
import * as session from '../src/lib/session.ts'
import { visibleToasts } from '../src/lib/toast.ts'
import { FirstPassword } from '../src/pages/first-password.tsx'
import { Login } from '../src/pages/login.tsx'
import { drag, fill } from './fill.ts'
import { makeChallenge, makeSetting, makeSignedIn, signIn } from './make.ts'
import { renderRoutes } from './render.tsx'
import { Refusal, serve } from './serve.ts'

const guarded = [
  {
    Component: Guard,
    children: [
      { index: true, handle: { isPublic: true }, element: <h1>Front page</h1> },
      { path: 'login', handle: { isPublic: true }, element: <h1>Sign-in page</h1> },
      { path: 'firstPassword', handle: { isPublic: true }, Component: FirstPassword },
      { path: 'mangeHome', element: <h1>Start page</h1> },
    ],
  },
]

describe('the guard', () => {
  it('sends a visitor to the front page with a warning', async () => {
    const { router } = renderRoutes(guarded, '/mangeHome')
    expect(await screen.findByRole('heading', { name: 'Front page' })).toBeVisible()
    expect(await screen.findByRole('alert')).toHaveTextContent('Sign in to continue.')
    expect(router.state.location.pathname).toBe('/')
  })

  it('keeps where a visitor wanted to go, for after the sign-in', async () => {
    const { router } = renderRoutes(guarded, '/mangeHome?id=7#results')
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(goal.take()).toBe('/mangeHome?id=7#results')
    expect(goal.take()).toBe('/mangeHome')
  })

  it('tells whoever was signed in until yesterday of being signed out', async () => {
    signIn()
    session.cleanStale(new Date(Date.now() + 48 * 60 * 60 * 1000))
    renderRoutes(guarded, '/mangeHome')
    expect(await screen.findByRole('alert')).toHaveTextContent('You are signed out. Please sign in again.')
  })

  it.each(['//evil.example/', '/\\evil.example', 'https://evil.example/'])(
    'never leads to %s',
    (pathname) => {
      goal.remember({ pathname })
      expect(goal.take()).toBe('/mangeHome')
    },
  )

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

  it.each([
    ['en', 'Choose your own password', 'Change password'],
    ['zh', '请设置您自己的密码', '修改密码'],
    ['ru', 'Задайте свой пароль', 'Сменить пароль'],
  ] as const)(
    'leads (%s) from a printed password to its change, and then on',
    async (language, title, press) => {
      const change = () => ({ token: 'n'.repeat(20), closing: 'closing-9' })
      const received = serve({ 'setting/public': () => makeSetting(), 'user/password': change })
      signIn({ mustChangePassword: true })
      const { router } = renderRoutes(guarded, '/mangeHome')
      await setLanguage(language)
      expect(await screen.findByRole('heading', { name: title })).toBeVisible()
      const values = { old: 'printed 1234', password: 'efgh5678', confirm: 'efgh5678' }
      await screen.findByRole('form')
      fill('change', { ...values, password: values.old, confirm: values.old })
      await userEvent.click(screen.getByRole('button', { name: press }))
      expect(received.filter(({ path }) => path === 'user/password')).toEqual([])
      fill('change', values)
      await userEvent.click(screen.getByRole('button', { name: press }))
      expect(await screen.findByRole('heading', { name: 'Start page' })).toBeVisible()
      expect(router.state.location.pathname).toBe('/mangeHome')
      expect(session.user()?.mustChangePassword).toBe(false)
      expect(session.token()).toBe('n'.repeat(20))
    },
  )

  it('leads to the front page when the session ends, without a second warning', async () => {
    signIn()
    renderRoutes(guarded, '/mangeHome')
    await screen.findByRole('heading', { name: 'Start page' })
    act(() => session.end())
    expect(await screen.findByRole('heading', { name: 'Front page' })).toBeVisible()
    expect(visibleToasts()).toEqual([])
  })
})

describe('a session that ends while a page is open', () => {
  it('leads to the front page with a message, and the same account back to that page', async () => {
    const { router } = await openAndLose('/projectDetail?id=7#results')
    await screen.findByRole('heading', { name: 'Front page' })
    expect(screen.getByRole('alert')).toHaveTextContent('on another machine')
    await signInAs('user-1', router)
    expect(await screen.findByRole('heading', { name: 'A project' })).toBeVisible()
    expect(router.state.location).toMatchObject({ search: '?id=7', hash: '#results' })
  })

  it('says nothing else while the front page is still on its way', async () => {
    let arrive = () => {}
    const line = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const front = async () => {
      await line
      return { element: <h1>Front page</h1> }
    }
    await openAndLose('/projectDetail?id=7', [
      { Component: Guard, children: [{ index: true, handle: { isPublic: true }, lazy: front }, ...others] },
    ])
    await setLanguage('ru')
    expect(visibleToasts()).toHaveLength(1)
    arrive()
    await screen.findByRole('heading', { name: 'Front page' })
    signIn({ id: 'user-2' })
    expect(goal.take()).toBe('/mangeHome')
  })

  it('leads another account to the start', async () => {
    const { router } = await openAndLose('/projectDetail?id=7')
    await screen.findByRole('heading', { name: 'Front page' })
    await signInAs('user-2', router)
    expect(await screen.findByRole('heading', { name: 'Start page' })).toBeVisible()
  })

  it('leads to the start after a page that everybody may see', async () => {
    const { router } = await openAndLose('/tutorial')
    await screen.findByRole('heading', { name: 'Front page' })
    expect(goal.take()).toBe('/mangeHome')
    expect(router.state.location.pathname).toBe('/')
  })

  it('keeps nothing of the account but its id beside the address', async () => {
    await openAndLose('/projectDetail?id=7')
    await screen.findByRole('heading', { name: 'Front page' })
    expect(Object.keys(localStorage)).toEqual([])
    expect({ ...sessionStorage }).toEqual({
      goal: JSON.stringify({ path: '/projectDetail?id=7', userId: 'user-1' }),
    })
  })
})

async function openAndLose(address: string, pages: RouteObject[] = open) {
  serve({
    'user/challenge': () => makeChallenge(),
    'user/info': () => {
      throw new Refusal('session_replaced')
    },
  })
  signIn({ id: 'user-1' })
  const router = createMemoryRouter(pages, { initialEntries: [address] })
  render(<App router={router} />)
  await screen.findByRole('heading')
  await act(() => call('user/info', { userId: 'user-1' }).catch(() => undefined))
  return { router }
}

async function signInAs(id: string, router: ReturnType<typeof createMemoryRouter>) {
  serve({ 'user/challenge': () => makeChallenge(), 'user/login': () => makeSignedIn({ id }) })
  await act(() => router.navigate('/login'))
  const person = userEvent.setup()
  await person.type(await screen.findByRole('textbox', { name: 'Phone number' }), '13800138000')
  await person.type(screen.getByLabelText('Password'), 'secret-1')
  await drag(person)
  await person.click(screen.getByRole('button', { name: 'Sign in' }))
}

const others = [
  { path: 'login', handle: { isPublic: true }, Component: Login },
  { path: 'tutorial', handle: { isPublic: true }, element: <h1>Tutorial</h1> },
  { path: 'mangeHome', element: <h1>Start page</h1> },
  { path: 'projectDetail', element: <h1>A project</h1> },
]
const open = [
  {
    Component: Guard,
    children: [{ index: true, handle: { isPublic: true }, element: <h1>Front page</h1> }, ...others],
  },
]

describe('the focus after a change of page', () => {
  const focused: string[] = []
  const note = ({ target }: FocusEvent) => {
    if (target instanceof HTMLHeadingElement) focused.push(target.textContent)
  }
  beforeEach(() => {
    focused.length = 0
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  })

  const show = (pages: RouteObject[], address: string) => {
    const router = createMemoryRouter(pages, { initialEntries: [address] })
    render(<App router={router} />)
    return router
  }

  it('is on the heading of the page that a sign-in leads to, once', async () => {
    await signInAs('user-1', show(open, '/'))
    const heading = await screen.findByRole('heading', { name: 'Start page' })
    await waitFor(() => expect(heading).toHaveFocus())
    expect(focused.filter((name) => name === 'Start page')).toEqual(['Start page'])
  })

  it('is left alone when the first page opens, and when only its language or its tab changes', async () => {
    serve({ 'setting/public': () => makeSetting() })
    const router = show(routes, '/about')
    await screen.findByRole('heading', { level: 1 })
    await act(() => router.navigate('/ru/about'))
    await waitFor(() => expect(document.documentElement).toHaveAttribute('lang', 'ru-RU'))
    await act(() => router.navigate('/ru/about?tab=two'))
    expect(document.body).toHaveFocus()
    expect(focused).toEqual([])
  })

  it('is on the heading of a public page as well', async () => {
    serve({ 'setting/public': () => makeSetting() })
    const router = show(routes, '/about')
    await screen.findByRole('heading', { level: 1 })
    await act(() => router.navigate('/tool'))
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
    expect(router.state.location.pathname).toBe('/tool')
  })

  it('is on the heading of a project that follows another one', async () => {
    signIn()
    const router = show(open, '/projectDetail?id=7')
    const heading = await screen.findByRole('heading', { name: 'A project' })
    await act(() => router.navigate('/projectDetail?id=8'))
    expect(heading).toHaveFocus()
  })

  it('waits for a heading that comes later, and stays with a field in which the page begins', async () => {
    signIn()
    const pages = [
      { path: 'late', Component: Late },
      { path: 'field', Component: Form },
    ]
    const router = show([{ Component: Guard, children: [...others, ...pages] }], '/mangeHome')
    await act(() => router.navigate('/late'))
    expect(focused).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Load' }))
    await waitFor(() => expect(focused).toEqual(['It came']))
    await act(() => router.navigate('/field'))
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus()
    expect(focused).toEqual(['It came'])
  })
})

function Form() {
  return (
    <main>
      <h1>Form</h1>
      <input aria-label="Name" ref={(field) => field?.focus()} />
    </main>
  )
}

function Late() {
  const [hasCome, setHasCome] = useState(false)
  return hasCome ? (
    <h1>It came</h1>
  ) : (
    <button type="button" onClick={() => setHasCome(true)}>
      Load
    </button>
  )
}

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
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })

  it('an unknown address says so and offers a way back', async () => {
    renderRoutes(routes, '/nowhere')
    expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to home page' })).toHaveAttribute('href', '/')
  })
})
