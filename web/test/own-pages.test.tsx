import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import * as session from '../src/lib/session.ts'
import { Login } from '../src/pages/login.tsx'
import { ManageHome } from '../src/pages/manage-home.tsx'
import { UserCenter } from '../src/pages/user-center.tsx'
import { Toaster } from '../src/ui/toaster.tsx'
import { makeChallenge, makeSetting, makeSignedIn, makeUser, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

const settings = { 'setting/public': () => makeSetting({ trial: false }) }
const size = { 'user/size': () => ({ storageSize: 512 * 1024 ** 2, storageLimit: 1024 ** 3 }) }

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
      'runs/list': () => ({ runs: [] }),
      'projects/list': () => ({ projects: [], limit: 3 }),
    })
    signIn()
    renderPart(<ManageHome />)
    expect(
      await screen.findByRole('heading', { name: /^Good (morning|afternoon|evening), Radiology$/ }),
    ).toBeVisible()
    const tiles = within(screen.getByRole('navigation', { name: 'Where to go' })).getAllByRole('link')
    expect(tiles.map((tile) => tile.getAttribute('href'))).toEqual(['/projectHome', '/cloudHome', '/run'])
    expect(await screen.findByText('Nothing has been trained yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Create a project' })).toHaveAttribute('href', '/projectHome')
    expect(await screen.findByText(/512 MB of 1 GB/)).toBeVisible()
  })

  it('says what failed and loads again when asked', async () => {
    let isBroken = true
    serve({
      ...size,
      'runs/list': () => {
        if (isBroken) throw new Refusal('busy')
        return { runs: [] }
      },
      'projects/list': () => ({ projects: [], limit: 3 }),
    })
    signIn()
    renderPart(<ManageHome />)
    const retry = await screen.findByRole('button', { name: 'Try again' })
    isBroken = false
    await userEvent.click(retry)
    expect(await screen.findByText('Nothing has been trained yet')).toBeVisible()
  })
})

describe('the personal centre', () => {
  it('changes the nickname, here and in the stored record', async () => {
    let nickName = 'Radiology'
    const received = serve({
      ...size,
      'user/info': () => makeUser({ nickName, organ: 'City Hospital' }),
      'user/edit': (body) => {
        nickName = body.nickName ?? nickName
        return makeUser({ nickName })
      },
    })
    signIn()
    renderPart(
      <>
        <UserCenter />
        <Toaster />
      </>,
    )
    expect(await screen.findByText('City Hospital')).toBeVisible()
    const person = userEvent.setup()
    await person.click(screen.getByRole('button', { name: 'Edit: Nickname' }))
    const field = screen.getByRole('textbox', { name: 'Nickname' })
    await person.clear(field)
    await person.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Please enter a nickname.')).toBeVisible()
    await person.type(field, 'Dr Lopez')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(session.user()?.nickName).toBe('Dr Lopez'))
    expect(received.filter(({ path }) => path === 'user/edit').map(({ body }) => body)).toEqual([
      { nickName: 'Dr Lopez' },
    ])
  })

  it('says at the field why a name was refused', async () => {
    serve({
      ...size,
      'user/info': () => makeUser(),
      'user/edit': () => {
        throw new Refusal('english_only', { field: 'nickName' })
      },
    })
    signIn()
    renderPart(<UserCenter />)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Edit: Nickname' }))
    await person.type(screen.getByRole('textbox', { name: 'Nickname' }), '玛丽亚')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/without Chinese characters/)).toBeVisible()
  })
})
