/** The public setting is asked for once a page load, so pages without modules have a file of their own. */
import { roles } from '@neuroloom/contract/accounts/roles'
import { moduleNames } from '@neuroloom/contract/office/modules'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ModuleSelector } from '../../src/app/module-selector.tsx'
import { OwnTasks } from '../../src/features/custom/own-tasks.tsx'
import { Login } from '../../src/pages/login.tsx'
import { OrderHome } from '../../src/pages/market/order-home.tsx'
import { PostDemand } from '../../src/pages/market/post-demand.tsx'
import { Register } from '../../src/pages/register.tsx'
import { ShopHome } from '../../src/pages/shop/shop-home.tsx'
import { SocialHome } from '../../src/pages/social/social-home.tsx'
import { UserCenter } from '../../src/pages/user-center.tsx'
import { makeChallenge, makeSetting, makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

const all = {
  'setting/public': () => makeSetting({ registration: false, off: [...moduleNames] }),
  'user/challenge': () => makeChallenge(),
}
const noPage = { total: 0, pageSize: 20 }
const nothing = {
  ...all,
  'user/info': () => makeUser(),
  'customTask/list': () => ({ tasks: [], ...noPage }),
  'codeUpload/list': () => ({ uploads: [], ...noPage }),
  'shop/mine': () => ({ listings: [], used: 0, limit: 1, isAllowed: true }) as never,
}
const tabNames = async (name: string) =>
  within(await screen.findByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => link.textContent)

describe('where modules are switched off', () => {
  it('the selector has no community, and it says so at its address', async () => {
    signIn()
    const received = serve(all)
    renderPart(<ModuleSelector pathname="/projectHome" />)
    await screen.findByRole('link', { name: 'Project' })
    await waitFor(() => expect(received.map(({ path }) => path)).toContain('setting/public'))
    expect(screen.queryByRole('link', { name: /^Community/ })).toBeNull()
    expect(received.map(({ path }) => path)).not.toContain('social/unread')
    renderPart(<SocialHome />)
    expect(await screen.findByText(/switched the social centre off for a time/)).toBeVisible()
  })

  it('the shop has the networks of the product alone', async () => {
    signIn()
    serve(all)
    renderPart(<ShopHome />, '/shopHome?tab=demands')
    await waitFor(async () => expect(await tabNames('Model shop')).toEqual(['Architectures (free)']))
    expect(screen.queryByRole('link', { name: 'My online shop' })).toBeNull()
  })

  it('providers keep what is under way and their money', async () => {
    signIn({ role: roles.provider })
    serve({ ...all, 'demand/list': () => ({ demands: [], ...noPage }) })
    renderPart(<OrderHome />)
    await waitFor(async () => expect(await tabNames('Orders')).toHaveLength(3))
    expect(screen.queryByRole('link', { name: 'Open demands' })).toBeNull()
  })

  it('no demand is posted, which is said before anything is asked', async () => {
    signIn()
    serve(all)
    renderPart(<PostDemand />)
    expect(await screen.findByText('Switched off at the moment')).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('the personal centre shows what a member has, and nothing to begin', async () => {
    signIn()
    serve(nothing)
    const empty = renderPart(<UserCenter />, '/userCenter')
    const gone = ['Private customisation', 'Upload code', 'My online shop']
    await waitFor(async () => {
      const shown = await tabNames('Personal centre')
      expect(shown).toContain('Wallet')
      for (const name of gone) expect(shown).not.toContain(name)
    })
    empty.unmount()
    serve({ ...nothing, 'codeUpload/list': () => ({ uploads: [], total: 3, pageSize: 20 }) })
    renderPart(<UserCenter />, '/userCenter')
    await waitFor(async () => expect(await tabNames('Personal centre')).toContain('Upload code'))
  })

  it('no custom task is asked for', async () => {
    signIn()
    serve({
      ...nothing,
      'customTask/prices': () => ({ prices: [], methods: [], isTrial: true, mayUse: true, mayOrder: true }),
    })
    renderPart(<OwnTasks onPay={() => undefined} />)
    expect(await screen.findByText(/New requests are not taken at the moment/)).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('nobody registers, and a forgotten password is renewed', async () => {
    serve(all)
    const login = renderPart(<Login />, '/login')
    expect(await screen.findByRole('link', { name: /Forgot/ })).toHaveAttribute('href', '/forget')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Create an account' })).toBeNull())
    login.unmount()
    renderPart(<Register />, '/register')
    expect(await screen.findByText(/accounts are made by the administrator/)).toBeVisible()
  })
})
