/** In a file of its own: what the server says to everybody is asked for once a page load. */
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { routes } from '../../src/app/routes.tsx'
import { makeSetting } from '../make.ts'
import { renderRoutes } from '../render.tsx'
import { serve } from '../serve.ts'

it('the tutorial tells of no registering and no levels on a hospital’s own server', async () => {
  serve({ 'setting/public': () => makeSetting({ host: -1, registration: false, renewal: false }) })
  renderRoutes(routes, '/tutorial/registration')
  expect(await screen.findByText(/Nobody registers on this server/)).toBeVisible()
  const contents = within(screen.getByRole('navigation', { name: 'On this page' }))
  expect(contents.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Get an account',
    'Password',
    'Your profile',
    'Signing in',
  ])
  expect(document.body).not.toHaveTextContent(/Short form|A visitor becomes|a code lets you/)
  expect(screen.queryByRole('table')).toBeNull()
})
