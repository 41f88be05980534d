import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Empty } from 'antd'
import { expect, it, vi } from 'vitest'
import { WorkspaceLayout } from '../src/app/workspace-layout.tsx'
import { setLanguage } from '../src/lib/i18n.ts'
import { signIn } from './make.ts'
import { renderRoutes } from './render.tsx'
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
  renderRoutes([{ Component: WorkspaceLayout, children }], '/cloudHome?tab=groups')
  const module = (name: string) =>
    within(screen.getByRole('navigation', { name: 'Modules' })).getByRole('link', { name })
  await screen.findByRole('heading', { name: 'cloudHome' })
  await userEvent.click(module('Project'))
  await screen.findByRole('heading', { name: 'projectHome' })
  expect(module('Cloud')).toHaveAttribute('href', '/cloudHome?tab=groups')
})

function Form() {
  return (
    <>
      <input aria-label="Name" />
      <Empty image={<i />} />
    </>
  )
}
