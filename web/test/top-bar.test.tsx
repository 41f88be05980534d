import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { TopBar } from '../src/app/top-bar.tsx'
import * as session from '../src/lib/session.ts'
import { makeSetting, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { type Received, serve } from './serve.ts'

let received: Received[]
beforeEach(() => {
  received = serve({
    'setting/public': () => makeSetting(),
    'user/logout': () => ({}),
  })
})

const bar = () => screen.findByRole('banner')
const modules = () => screen.queryByRole('navigation', { name: 'Modules' })

describe('the top bar', () => {
  it('marks the module of the page and says that the server is on trial', async () => {
    signIn()
    renderPart(<TopBar />, '/cloudFile?id=7')
    await bar()
    const selector = screen.getByRole('navigation', { name: 'Modules' })
    expect(
      within(selector)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Project', 'Cloud'])
    expect(within(selector).getByRole('link', { current: 'page' })).toHaveTextContent('Cloud')
    expect(await screen.findByText('Trial')).toBeVisible()
  })

  it('hides the module selector on the start page and inside another product', async () => {
    signIn()
    const { unmount } = renderPart(<TopBar />, '/mangeHome')
    await bar()
    expect(modules()).toBeNull()
    unmount()
    sessionStorage.setItem('isOcibe', '1')
    renderPart(<TopBar />, '/projectHome')
    await bar()
    expect(modules()).toBeNull()
  })

  it.each([
    [{ vipLevel: 0 }, 'Visitor'],
    [{ vipLevel: 1 }, 'Ordinary member'],
    [{ vipLevel: 2 }, 'Bronze member'],
    [{ vipLevel: 3 }, 'Silver member'],
    [{ vipLevel: 4 }, 'Gold member'],
    [{ vipLevel: 1, vipSuper: 1 }, 'Super member'],
  ])('shows the membership of %o as %s', async (user, name) => {
    signIn(user)
    renderPart(<TopBar />, '/mangeHome')
    expect(await screen.findByRole('img', { name })).toBeVisible()
  })

  it('changes the language, of the page and of this session', async () => {
    signIn()
    renderPart(<TopBar />, '/projectHome')
    const select = await screen.findByRole('combobox', { name: 'Language' })
    expect(select).toHaveStyle({ width: '85px' })
    await userEvent.selectOptions(select, 'Русский')
    expect(await screen.findByRole('link', { name: 'Проекты' })).toBeVisible()
    expect(screen.getByRole('combobox', { name: 'Язык' })).toHaveStyle({ width: '115px' })
    expect(sessionStorage.getItem('theLanguage')).toBe('ru')
    expect(document.documentElement).toHaveAttribute('lang', 'ru-RU')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Язык' }), '中文')
    expect(await screen.findByRole('combobox', { name: '语言' })).toHaveStyle({ width: '68px' })
  })

  it('signs out: tells the server, leaves for the front page, forgets the session', async () => {
    signIn()
    const { router } = renderPart(<TopBar />, '/projectHome')
    await userEvent.click(await screen.findByRole('button', { name: 'Account of Radiology' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await waitFor(() => expect(session.user()).toBeNull())
    expect(received.find(({ path }) => path === 'user/logout')?.body).toEqual({ userId: 'user-1' })
    expect(router.state.location.pathname).toBe('/')
    expect(session.token()).toBeNull()
  })

  it('offers no personal centre to service providers', async () => {
    signIn({ role: 1 })
    renderPart(<TopBar />, '/projectHome')
    await userEvent.click(await screen.findByRole('button', { name: 'Account of Radiology' }))
    await screen.findByRole('menuitem', { name: 'Sign out' })
    expect(screen.queryByRole('menuitem', { name: 'Personal centre' })).toBeNull()
  })
})
