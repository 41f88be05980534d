/** The public setting is asked for once a page load, so a server without registration has a file of its own. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { routes } from '../src/app/routes.tsx'
import { Forget } from '../src/pages/forget.tsx'
import { Login } from '../src/pages/login.tsx'
import { ManageHome } from '../src/pages/manage-home.tsx'
import { Register } from '../src/pages/register.tsx'
import { makeChallenge, makeSetting, signIn } from './make.ts'
import { renderPart, renderRoutes } from './render.tsx'
import { makeProjectPage } from './runs/runs-make.ts'
import { serve } from './serve.ts'

const closed = {
  'user/challenge': () => makeChallenge(),
  'setting/public': () => makeSetting({ host: -1, trial: false, registration: false, renewal: false }),
}

describe('where nobody makes their own account', () => {
  it.each([
    ['/register', <Register key="register" />],
    ['/forget', <Forget key="forget" />],
  ])('%s says who does', async (address, element) => {
    serve(closed)
    renderPart(element, address)
    expect(await screen.findByText(/accounts are made by the administrator/)).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('the sign-in offers no way to them', async () => {
    serve(closed)
    renderPart(<Login />, '/login')
    expect(await screen.findByText(/Ask the administrator of your server/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Create an account' })).toBeNull()
  })

  it('the start page and the public pages name neither levels nor a community', async () => {
    serve({
      ...closed,
      'user/size': () => ({ storageSize: 0, storageLimit: null }),
      'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
      'projects/list': () => makeProjectPage([]),
    })
    signIn()
    renderPart(<ManageHome />)
    const below = within(await screen.findByRole('navigation', { name: 'Links' }))
    await waitFor(() => expect(below.queryByRole('link', { name: 'Membership levels' })).toBeNull())
    expect(below.queryByRole('link', { name: 'Social centre' })).toBeNull()
    expect(below.getByRole('link', { name: 'Recycle station' })).toHaveAttribute('href', '/projectRubbish')
  })

  it('the front page neither, and it offers no account', async () => {
    serve(closed)
    const { container } = renderRoutes(routes, '/')
    const below = within(await screen.findByRole('contentinfo'))
    await waitFor(() => expect(below.queryByRole('link', { name: 'Membership levels' })).toBeNull())
    expect(below.queryByRole('link', { name: 'Social centre' })).toBeNull()
    expect(below.getByRole('link', { name: 'Recycle station' })).toBeVisible()
    expect(container.querySelector('[data-open=true]')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Create a free account' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Sign in and start' })).toHaveAttribute('href', '/login')
  })
})
