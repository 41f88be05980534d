import { roles } from '@neuroloom/contract/accounts/roles'
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Empty } from 'antd'
import { expect, it, vi } from 'vitest'
import { Guard } from '../src/app/guard.tsx'
import { SideMenu } from '../src/app/side-menu.tsx'
import { WorkspaceLayout } from '../src/app/workspace-layout.tsx'
import { setLanguage } from '../src/lib/i18n.ts'
import { leftAt, rememberTab } from '../src/lib/last-tab.ts'
import * as session from '../src/lib/session.ts'
import { PageHeader } from '../src/ui/page.tsx'
import { makeUser, signIn } from './make.ts'
import { renderPart, renderRoutes } from './render.tsx'
import { serve } from './serve.ts'

const line = vi.hoisted(() => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
})

vi.mock('antd/locale/zh_CN', async (original) => {
  await line.opened
  return await original()
})

it('keeps what is typed while the texts of the components are still on their way', async () => {
  signIn()
  serve({})
  await setLanguage('zh')
  renderRoutes([{ Component: WorkspaceLayout, children: [{ path: 'form', Component: Form }] }], '/form')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'knee')
  expect(screen.queryByText('暂无数据')).toBeNull()
  line.open()
  await screen.findByText('暂无数据')
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('knee')
})

it('leads back by the bar to the tab that was left', async () => {
  signIn()
  serve({})
  const page = (name: string) => ({ path: name, Component: () => <h1>{name}</h1> })
  const children = [page('cloudHome'), page('projectHome')]
  const { router } = renderRoutes([{ Component: WorkspaceLayout, children }], '/cloudHome?tab=groups')
  const module = (name: string) =>
    within(screen.getByRole('navigation', { name: 'Modules' })).getByRole('link', { name })
  await screen.findByRole('heading', { name: 'cloudHome' })
  // Whoever is in the module already comes to its beginning, whichever tab was open before.
  await act(() => router.navigate('/cloudHome?tab=shared'))
  expect(module('Cloud')).toHaveAttribute('href', '/cloudHome')
  await act(() => router.navigate('/cloudHome?tab=groups'))
  await userEvent.click(module('Project'))
  await screen.findByRole('heading', { name: 'projectHome' })
  expect(module('Cloud')).toHaveAttribute('href', '/cloudHome?tab=groups')
})

it('gives the focus to the heading of the next page, but to nothing when the first one opens', async () => {
  signIn()
  serve({})
  const page = (name: string) => ({ path: name, Component: () => <PageHeader title={name} /> })
  const children = [page('cloudHome'), page('projectHome')]
  const layout = { Component: WorkspaceLayout, children }
  renderRoutes([{ Component: Guard, children: [layout] }], '/cloudHome')
  await screen.findByRole('heading', { name: 'cloudHome' })
  expect(document.body).toHaveFocus()
  const modules = screen.getByRole('navigation', { name: 'Modules' })
  await userEvent.click(within(modules).getByRole('link', { name: 'Project' }))
  const heading = await screen.findByRole('heading', { name: 'projectHome' })
  await waitFor(() => expect(heading).toHaveFocus())
})

it('never lets a file that is dropped where nothing takes it stand in the place of the page', async () => {
  signIn()
  serve({})
  const Taking = () => (
    <>
      <h1>page</h1>
      <input type="file" aria-label="Choice" />
    </>
  )
  renderRoutes([{ Component: WorkspaceLayout, children: [{ path: 'page', Component: Taking }] }], '/page')
  const heading = await screen.findByRole('heading', { name: 'page' })
  const dropped = (on: Element, types: string[]) => {
    const event = createEvent.drop(on, { dataTransfer: { types } })
    fireEvent(on, event)
    return event.defaultPrevented
  }
  expect(dropped(heading, ['Files'])).toBe(true)
  expect(dropped(heading, ['text/plain'])).toBe(false)
  expect(dropped(screen.getByLabelText('Choice'), ['Files'])).toBe(false)
})

const left = [
  ['/userCenter', '?tab=password', 'Personal centre'],
  ['/admin', '?part=messages', 'Administration'],
  ['/projectHome', '?tab=shared', 'Project'],
] as const

it.each(left)('leads back to %s%s by the menu of narrow screens as well', async (pathname, search, name) => {
  signIn({ role: roles.administrator })
  serve({ 'search/all': () => ({ projects: [], files: [], networks: [], runs: [], covers: {} }) })
  rememberTab({ pathname, search })
  renderPart(
    <SideMenu user={makeUser({ role: roles.administrator })} hasModules onShortcuts={() => undefined} />,
    '/cloudHome',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Menu' }))
  expect(await screen.findByRole('link', { name })).toHaveAttribute('href', pathname + search)
})

it('leads administrators back to the part of the back-office that they left', async () => {
  signIn({ role: roles.administrator })
  serve({})
  const page = (name: string) => ({ path: name, Component: () => <h1>{name}</h1> })
  const children = [page('admin'), page('cloudHome')]
  renderRoutes([{ Component: WorkspaceLayout, children }], '/admin?part=server')
  await screen.findByRole('heading', { name: 'admin' })
  await userEvent.click(await screen.findByRole('link', { name: 'Cloud' }))
  await screen.findByRole('heading', { name: 'cloudHome' })
  expect(screen.getByRole('link', { name: 'Administration' })).toHaveAttribute('href', '/admin?part=server')
})

it('leads nobody to the tabs of who was signed in before', () => {
  signIn()
  rememberTab({ pathname: '/cloudHome', search: '?tab=groups' })
  session.end()
  expect(leftAt('/cloudHome')).toBe('/cloudHome')
  rememberTab({ pathname: '/cloudHome', search: '?tab=groups' })
  signIn({ id: 'user-2' })
  expect(leftAt('/cloudHome')).toBe('/cloudHome')
})

function Form() {
  return (
    <>
      <input aria-label="Name" />
      <Empty image={<i />} />
    </>
  )
}
