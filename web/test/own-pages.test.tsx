import { roles } from '@neuroloom/contract/accounts/roles'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Login } from '../src/pages/login.tsx'
import { ManageHome } from '../src/pages/manage-home.tsx'
import { makeChallenge, makeSetting, makeSignedIn, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { makeProject, makeProjectPage, makeRun } from './runs/runs-make.ts'
import { Refusal, serve } from './serve.ts'

const settings = { 'setting/public': () => makeSetting({ trial: false }) }
const size = { ...settings, 'user/size': () => ({ storageSize: 512 * 1024 ** 2, storageLimit: 1024 ** 3 }) }

describe('the sign-in page', () => {
  it.each([
    ['/login', '/mangeHome', null],
    ['/login?nbr=77', '/cloudHome?nbr=77', '4'],
  ])('%s leads to %s', async (address, target, tab) => {
    serve({
      ...settings,
      'user/challenge': () => makeChallenge(),
      'user/login': () => makeSignedIn(),
    })
    const { router } = renderPart(<Login />, address)
    const person = userEvent.setup()
    await person.type(await screen.findByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    screen.getByRole('slider').focus()
    await person.keyboard('{End}')
    await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'Verified'))
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(target))
    expect(sessionStorage.getItem('current')).toBe(tab)
  })
})

describe('the start page', () => {
  it('greets, shows the ways in, the storage and how to begin', async () => {
    serve({
      ...size,
      'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
      'projects/list': () => makeProjectPage([]),
    })
    signIn()
    renderPart(<ManageHome />)
    const greeting = { name: /^Good (morning|afternoon|evening), Radiology$/ }
    // Hidden once more while the texts of a part come.
    await waitFor(() => expect(screen.getByRole('heading', greeting)).toBeVisible())
    const ways = within(screen.getByRole('navigation', { name: 'Where to go' }))
    await ways.findByRole('link', { name: /^Social tools/ })
    const tiles = ways.getAllByRole('link')
    const addresses = (links: HTMLElement[]) => links.map((link) => link.getAttribute('href'))
    expect(addresses(tiles)).toEqual(['/projectHome', '/cloudHome', '/run', '/dripe', '/socialHome'])
    const below = within(screen.getByRole('navigation', { name: 'Links' })).getAllByRole('link')
    expect(addresses(below)).toEqual([
      '/step',
      '/consult?topic=training',
      '/consult',
      '/userCenter?tab=upgrade',
      '/socialHome',
      '/about',
      '/projectRubbish',
    ])
    expect(await screen.findByText('Nothing has been computed yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Create a project' })).toHaveAttribute('href', '/projectHome?new')
    expect(screen.getByRole('button', { name: 'Try with sample images' })).toBeEnabled()
    expect(screen.getByRole('link', { name: 'Start your first project' })).toHaveAttribute(
      'href',
      '/projectHome?new',
    )
    expect(await screen.findByText(/512 MB of 1 GB/)).toBeVisible()
  })

  it('continues with the project whose run or change is the newest', async () => {
    const day = (number: number) => `2026-05-0${number}T08:00:00.000Z`
    const chest = makeProject({ id: 'p1', name: 'Chest', modifiedAt: day(1) })
    const lastRun = { id: 'r1', state: 'done', score: 0.9 }
    serve({
      ...size,
      'runs/list': () => ({
        covers: {},
        courses: {},
        runs: [makeRun({ projectId: 'p1', createdAt: day(3) })],
      }),
      'projects/list': () => ({
        ...makeProjectPage([
          makeProject({ id: 'p2', name: 'Nuclei', modifiedAt: day(2) }),
          { ...chest, lastRun },
        ]),
        covers: { p1: ['data:,one', 'data:,two'] },
      }),
    })
    signIn()
    renderPart(<ManageHome />)
    const link = await screen.findByRole('link', { name: /^Continue: Chest/ })
    expect(link).toHaveAttribute('href', '/projectDetail?id=p1')
    expect(link).toHaveTextContent('Last run finished')
    expect(link.querySelectorAll('img')).toHaveLength(2)
  })

  it('leads administrators to the back-office', async () => {
    serve({
      ...size,
      'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
      'projects/list': () => makeProjectPage([]),
    })
    signIn({ role: roles.administrator })
    renderPart(<ManageHome />)
    const ways = within(await screen.findByRole('navigation', { name: 'Where to go' }))
    expect(ways.getByRole('link', { name: /^Back-office/ })).toHaveAttribute('href', '/admin')
  })

  it('says what failed and loads again when asked', async () => {
    let isBroken = true
    serve({
      ...size,
      'runs/list': () => {
        if (isBroken) throw new Refusal('internal')
        return { covers: {}, courses: {}, runs: [] }
      },
      'projects/list': () => makeProjectPage([]),
    })
    signIn()
    renderPart(<ManageHome />)
    const retry = await screen.findByRole('button', { name: 'Try again' })
    isBroken = false
    await userEvent.click(retry)
    expect(await screen.findByText('Nothing has been computed yet')).toBeVisible()
  })
})
