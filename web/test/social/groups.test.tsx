import { roles } from '@neuroloom/contract/accounts/roles'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { ModuleSelector } from '../../src/app/module-selector.tsx'
import { Groups } from '../../src/features/social/groups/groups.tsx'
import { ReportDialog } from '../../src/features/social/report-dialog.tsx'
import { SocialHome } from '../../src/pages/social/social-home.tsx'
import { makeSetting, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeGroup } from './social-make.ts'

beforeEach(() => signIn())

describe('chat groups', () => {
  it('are founded, and opened at once', async () => {
    const received = serve({
      'social/groups': () => ({ groups: [], ownLimit: 3 }),
      'social/createGroup': ({ name }) => makeGroup({ name }),
    })
    const { router } = renderPart(<Groups openId={null} />)
    expect(await screen.findByText('Chat groups created: 0 of 3')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Create a group' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Create a group' }))
    expect(await dialog.findByText('Give the group a name.')).toBeVisible()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Ward 3')
    await userEvent.click(dialog.getByRole('button', { name: 'Create a group' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=chat&chat=chat-2'))
    expect(received.find(({ path }) => path === 'social/createGroup')?.body).toEqual({
      name: 'Ward 3',
      introduction: '',
      password: '',
    })
  })

  it('beyond the limit of the level lead to a higher one', async () => {
    signIn({ vipLevel: 1 })
    serve({
      'setting/public': () => makeSetting(),
      'social/groups': () => ({ groups: [], ownLimit: 3 }),
      'social/createGroup': () => {
        throw new Refusal('plan_limit', { limit: 3 })
      },
    })
    renderPart(<Groups openId={null} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Create a group' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'One more')
    await userEvent.click(dialog.getByRole('button', { name: 'Create a group' }))
    expect(await dialog.findByText('You own as many groups as your level allows')).toBeVisible()
    expect(await dialog.findByRole('link')).toHaveAttribute('href', '/userCenter?tab=upgrade')
  })

  it('are joined by number and password, once it is shown which one it is', async () => {
    const found = makeGroup({ isOwner: false, hasPassword: true })
    const received = serve({
      'social/groups': () => ({ groups: [], ownLimit: 3 }),
      'social/findGroup': () => ({ ...found, joined: false }),
      'social/joinGroup': ({ password }) => {
        if (password !== 'secret') throw new Refusal('access_password_wrong')
        return found
      },
    })
    const { router } = renderPart(<Groups openId={null} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Join a group' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Group number' }), '123 456 789')
    expect(await dialog.findByText('Ward 3')).toBeVisible()
    await userEvent.type(dialog.getByLabelText('Password'), 'secret')
    await userEvent.click(dialog.getByRole('button', { name: 'Join' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=chat&chat=chat-2'))
    expect(received.find(({ path }) => path === 'social/joinGroup')?.body).toEqual({
      number: '123456789',
      password: 'secret',
    })
  })
})

it('a report says what is wrong with which message', async () => {
  const received = serve({ 'social/report': () => ({}) })
  let isClosed = false
  renderPart(
    <ReportDialog
      kind="message"
      targetId="7"
      chatId="chat-1"
      onClose={() => {
        isClosed = true
      }}
    />,
  )
  const send = await screen.findByRole('button', { name: 'Send the report' })
  expect(send).toBeDisabled()
  await userEvent.click(screen.getByRole('radio', { name: 'It names or shows a patient' }))
  await userEvent.click(send)
  await waitFor(() => expect(isClosed).toBe(true))
  expect(received.map(({ body }) => body)).toEqual([
    { kind: 'message', targetId: '7', chatId: 'chat-1', reason: 'patient_data', text: '' },
  ])
})

describe('the community', () => {
  const unread = { chats: 2, applications: 1, notices: 0, all: 3 }
  const served = (host: 0 | -1) =>
    serve({ 'setting/public': () => makeSetting({ host }), 'social/unread': () => unread })

  it.each([roles.member, roles.administrator, roles.partner])(
    'stands among the modules of role %i, with what is unread',
    async (role) => {
      signIn({ role })
      served(0)
      renderPart(<ModuleSelector pathname="/projectHome" />)
      const link = await screen.findByRole('link', { name: /^Community/ })
      expect(link).toHaveAttribute('href', '/socialHome')
      expect(await within(link).findByRole('img', { name: '3 unread' })).toBeVisible()
    },
  )

  it.each([
    ['service providers', roles.provider, 0],
    ['a private host', roles.member, -1],
  ] as const)('is hidden from %s', async (_, role, host) => {
    signIn({ role })
    const received = served(host)
    const selector = renderPart(<ModuleSelector pathname="/projectHome" />)
    await screen.findByRole('link', { name: 'Toolbox' })
    selector.unmount()
    renderPart(<SocialHome />, '/socialHome')
    expect(await screen.findByRole('heading', { name: 'There is no community here' })).toBeVisible()
    expect(screen.queryByRole('link', { name: /^Community/ })).toBeNull()
    expect(received.filter(({ path }) => path.startsWith('social/'))).toEqual([])
  })
})
