import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TopBar } from '../src/app/top-bar.tsx'
import * as session from '../src/lib/session.ts'
import { makeSetting, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { type Received, serve } from './serve.ts'

const nothing = { projects: [], files: [], networks: [], runs: [], covers: {} }
const found = {
  projects: [{ id: 'p1', name: 'Cell shapes', owner: '' }],
  files: [
    { id: 'f1', kind: 'folder' as const, name: 'cells', folder: null, owner: '' },
    { id: 'f2', kind: 'file' as const, name: 'cell 1.png', folder: { id: 'f1', name: 'cells' }, owner: '' },
    { id: 'f3', kind: 'file' as const, name: 'cell 2.png', folder: null, owner: 'Maria' },
  ],
  networks: [{ id: 'n1', name: 'Cell network' }],
  runs: [{ id: 'r1', kind: 'train' as const, number: 3, project: 'Cell shapes', dataset: 'cells' }],
  covers: { p1: '/p1.png', r1: '/r1.png' },
}

let received: Received[]
beforeEach(() => {
  received = serve({
    'setting/public': () => makeSetting(),
    'user/logout': () => ({}),
    'search/all': ({ text }) => (text === 'cell' ? found : nothing),
  })
})

const bar = () => screen.findByRole('banner')
const modules = () => screen.queryByRole('navigation', { name: 'Modules' })

/** Nothing is laid out here: the row says that something leaves it until it fits. */
function overflowUntil(fits: (row: HTMLElement) => boolean) {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return fits(this) ? 0 : 1
  })
}
afterEach(() => void vi.restoreAllMocks())

describe('the top bar', () => {
  it('marks the module of the page and says that the server is on trial', async () => {
    signIn()
    renderPart(<TopBar />, '/cloudFile?id=7')
    await bar()
    const selector = screen.getByRole('navigation', { name: 'Modules' })
    // It is there once the server said that it has a community.
    await within(selector).findByRole('link', { name: 'Community' })
    expect(
      within(selector)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Project', 'AI cooperation', 'DRIPE', 'Labelling', 'Cloud', 'Toolbox', 'Community'])
    expect(within(selector).getByRole('link', { current: 'page' })).toHaveTextContent('Cloud')
    expect(await screen.findByText('Trial')).toBeVisible()
  })

  it.each([
    ['nothing', { roomFor: '', yields: '' }],
    ['words of entries', { roomFor: 'icons', yields: 'icons' }],
    ['clock and mark', { roomFor: 'icons small', yields: 'icons small' }],
    ['room around words', { roomFor: 'icons small close', yields: 'icons small close' }],
    ['the word of the trial', { roomFor: 'icons small close mark', yields: 'icons small close mark' }],
  ])('gives up %s where that is enough', async (_, { roomFor, yields }) => {
    signIn()
    overflowUntil((row) => row.dataset.tight === roomFor)
    renderPart(<TopBar />, '/projectHome')
    await waitFor(async () => expect(await bar()).toHaveAttribute('data-tight', yields))
    expect(modules()).not.toBeNull()
    expect(screen.getByRole('searchbox')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Menu' })).toBeNull()
  })

  it('moves all but the modules into the menu where words still leave it, then these as well', async () => {
    signIn()
    overflowUntil((row) => within(row).queryByRole('searchbox') === null)
    const { unmount } = renderPart(<TopBar />, '/projectHome')
    expect(await screen.findByRole('button', { name: 'Menu' })).toBeVisible()
    expect(modules()).not.toBeNull()
    unmount()
    overflowUntil((row) => within(row).queryByRole('navigation') === null)
    renderPart(<TopBar />, '/projectHome')
    await userEvent.click(await screen.findByRole('button', { name: 'Menu' }))
    expect(await screen.findByRole('link', { name: 'Toolbox' })).toBeVisible()
  })

  it('gives way to a part that comes later by itself', async () => {
    signIn()
    overflowUntil((row) => within(row).queryByText('Trial') === null || row.dataset.tight === 'icons')
    renderPart(<TopBar />, '/projectHome')
    expect(await bar()).toHaveAttribute('data-tight', '')
    await screen.findByText('Trial')
    await waitFor(async () => expect(await bar()).toHaveAttribute('data-tight', 'icons'))
  })

  it('tries again with more room when the language changes', async () => {
    signIn()
    overflowUntil(
      (row) => row.dataset.tight === 'icons' || within(row).queryByRole('link', { name: 'Project' }) === null,
    )
    renderPart(<TopBar />, '/projectHome')
    await waitFor(async () => expect(await bar()).toHaveAttribute('data-tight', 'icons'))
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), '中文')
    await waitFor(async () => expect(await bar()).toHaveAttribute('data-tight', ''))
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
    expect(await screen.findByRole('img', { name: `Membership: ${name}` })).toBeVisible()
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

  it.each([
    [0, ['Home', 'Contact us']],
    [1, ['Home', 'Contact us']],
    [2, ['Home', 'Contact us', 'Administration']],
    [3, ['Home', 'Contact us']],
    [9, ['Home', 'Contact us']],
  ])('offers role %i %o', async (role, names) => {
    signIn({ role })
    renderPart(<TopBar />, '/mangeHome')
    await screen.findByRole('link', { name: 'Home' })
    const offered = screen.getAllByRole('link').map((link) => link.textContent)
    expect(offered.filter((name) => ['Home', 'Contact us', 'Administration'].includes(name ?? ''))).toEqual(
      names,
    )
  })

  describe('the search', () => {
    it.each([
      ['', 'Please enter what to search for.'],
      ['   ', 'Please enter what to search for.'],
      ['qqqzzz', 'Nothing was found for this.'],
    ])('for "%s" warns: %s', async (text, warning) => {
      signIn()
      const person = userEvent.setup()
      const { router } = renderPart(<TopBar />, '/projectHome')
      const box = await screen.findByRole('searchbox', {
        name: 'Search projects, files, networks, trainings and pages',
      })
      if (text !== '') await person.type(box, text)
      await person.click(screen.getByRole('button', { name: 'Search' }))
      expect(await screen.findByRole('alert')).toHaveTextContent(warning)
      expect(router.state.location.pathname).toBe('/projectHome')
    })

    it('lists what is found by kind, by arrow keys as well, and stays in the workspace', async () => {
      signIn()
      const person = userEvent.setup()
      const { router } = renderPart(<TopBar />, '/projectHome')
      const box = await screen.findByRole('searchbox')
      await person.keyboard('{Control>}k{/Control}')
      expect(box).toHaveFocus()
      await person.keyboard('cell{Enter}')
      expect(await screen.findByText('7 results')).toBeInTheDocument()
      const results = (name: string) =>
        within(screen.getByRole('region', { name }))
          .getAllByRole('link')
          .map((link) => [link.textContent, link.getAttribute('href')])
      expect(results('Pages')).toHaveLength(1)
      expect(results('Projects')).toEqual([['Cell shapes', '/projectDetail?id=p1']])
      const shown = screen.getByRole('region', { name: 'Projects' }).querySelector('img')
      expect(shown).toHaveAttribute('src', '/p1.png')
      expect(results('Files and folders')).toEqual([
        ['cells', '/cloudFile?id=f1'],
        ['cell 1.pngcells', '/cloudFile?id=f1&search=cell%201.png'],
        ['cell 2.pngby Maria', '/cloudHome?tab=shared'],
      ])
      expect(results('Networks')).toEqual([['Cell network', '/dripe?id=n1']])
      expect(results('Trainings and tests')).toEqual([['Training 3Cell shapes · cells', '/run?id=r1']])
      expect(router.state.location.pathname).toBe('/projectHome')
      await person.keyboard('{ArrowDown}{ArrowDown}')
      expect(screen.getByRole('link', { name: 'Cell shapes' })).toHaveFocus()
      await person.keyboard('{Escape}')
      expect(box).toHaveFocus()
      expect(screen.queryByRole('region', { name: 'Projects' })).toBeNull()
      await person.keyboard('{Enter}')
      await person.click(await screen.findByRole('link', { name: /Training 3/ }))
      expect(router.state.location.pathname).toBe('/run')
      expect(box).toHaveValue('')
    })

    it('goes to the first page that has the text, whatever the capitals', async () => {
      signIn()
      const person = userEvent.setup()
      const { router } = renderPart(<TopBar />, '/projectHome')
      const { default: about } = await import('../src/locales/en/about.json')
      const box = await screen.findByRole('searchbox', {
        name: 'Search projects, files, networks, trainings and pages',
      })
      await person.type(box, `${about.title.toUpperCase()}{Enter}`)
      await waitFor(() => expect(router.state.location.pathname).toBe('/about'))
    })
  })
})
