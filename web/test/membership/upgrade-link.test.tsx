import type { User } from '@neuroloom/contract/accounts/accounts'
import type { ErrorName } from '@neuroloom/contract/errors'
import texts from '@neuroloom/contract/locales/en/errors.json'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { WorkspaceLayout } from '../../src/app/workspace-layout.tsx'
import { StorageBar } from '../../src/features/files/storage-bar.tsx'
import { Refusal as ProjectRefusal } from '../../src/features/projects/refusal.tsx'
import { CallError, tellFailure } from '../../src/lib/api.ts'
import { useCall } from '../../src/lib/query.ts'
import { isOfLevel } from '../../src/lib/upgrade.ts'
import { ErrorState } from '../../src/ui/error-state.tsx'
import { UpgradeLink } from '../../src/ui/limits/upgrade-link.tsx'
import { SharedFull } from '../../src/ui/share/shared-count.tsx'
import { makeSetting, signIn } from '../make.ts'
import { renderPart, renderRoutes } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

function open(user: Partial<User> | null, host = 0) {
  if (user) signIn(user)
  const received = serve({ 'setting/public': () => makeSetting({ host }) })
  renderPart(
    <p>
      Full. <UpgradeLink />
    </p>,
  )
  return received
}

const link = () => screen.queryByRole('link', { name: 'Upgrade membership' })

it.each([0, 1, 2, 3])('leads a member of level %i to the higher ones', async (vipLevel) => {
  open({ vipLevel })
  expect(await screen.findByRole('link', { name: 'Upgrade membership' })).toHaveAttribute(
    'href',
    '/userCenter?tab=upgrade',
  )
})

it.each([
  ['of the highest level', { vipLevel: 4 }],
  ['of all levels', { vipLevel: 2, vipSuper: 1 }],
  ['without a personal centre', { vipLevel: 0, role: 1 }],
])('is not shown to a member %s', async (_who, user) => {
  const received = open(user)
  expect(await screen.findByText('Full.')).toBeVisible()
  expect(link()).toBeNull()
  expect(received).toEqual([])
})

it('is not shown to who is not signed in', async () => {
  open(null)
  expect(await screen.findByText('Full.')).toBeVisible()
  expect(link()).toBeNull()
})

it('is not shown where nobody is limited', async () => {
  const received = open({ vipLevel: 1 }, -1)
  await waitFor(() => expect(received).toHaveLength(1))
  expect(await screen.findByText('Full.')).toBeVisible()
  expect(link()).toBeNull()
})

it('stands where storage, shares and projects have reached their limit', async () => {
  signIn({ vipLevel: 1 })
  serve({
    'setting/public': () => makeSetting({ host: 0 }),
    'user/size': () => ({ storageSize: 95, storageLimit: 100 }),
    'plans/shared': () => ({ datasets: { used: 5, limit: 5 }, models: { used: 0, limit: null } }),
  })
  renderPart(
    <>
      <StorageBar />
      <SharedFull kind="datasets" />
      <ProjectRefusal
        error={new CallError({ name: 'plan_limit', code: 400, message: 'No more', params: {}, fields: {} })}
      />
    </>,
  )
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Upgrade membership' })).toHaveLength(3))
})

const refusal = (name: ErrorName) =>
  new CallError({ name, code: 20101, message: `Refused: ${name}`, params: {}, fields: {} })

it('is known to every refusal whose words offer a higher level', () => {
  const words: Readonly<Record<string, string>> = texts
  // Its keys are names of failures, and the levels' names, which offer nothing.
  const names = Object.keys(words) as ErrorName[]
  const offered = names.filter((name) =>
    /upgrade (your )?membership|upgrade it to|from (bronze|silver|gold) membership on/i.test(
      words[name] ?? '',
    ),
  )
  expect(offered.length).toBeGreaterThan(10)
  expect(names.filter((name) => isOfLevel(refusal(name)))).toEqual(offered)
})

it('stands under what a page could not load for the level, and under no other failure', async () => {
  signIn({ vipLevel: 1 })
  serve({ 'setting/public': () => makeSetting() })
  const { unmount } = renderPart(<ErrorState error={refusal('application_unavailable')} />)
  expect(await screen.findByRole('link', { name: 'Upgrade membership' })).toBeVisible()
  unmount()
  renderPart(<ErrorState error={refusal('busy')} />)
  expect(await screen.findByText('Refused: busy')).toBeVisible()
  expect(link()).toBeNull()
})

/** A page of the workspace whose one call is refused for the level. */
function Refused() {
  const { error } = useCall('projects/list', {})
  return (
    <>
      {error && <h1>Refused</h1>}
      <button type="button" onClick={() => tellFailure(refusal('storage_full'))}>
        Again
      </button>
    </>
  )
}

const show = (user: Partial<User>) => {
  signIn(user)
  serve({
    'setting/public': () => makeSetting(),
    'projects/list': () => {
      throw new Refusal('plan_limit', { limit: 3 })
    },
  })
  const pages = ['projectHome', 'userCenter'].map((path) => ({ path, Component: Refused }))
  return renderRoutes([{ Component: WorkspaceLayout, children: pages }], '/projectHome')
}

it('is a button of the message over the page, whether the call tells itself or the page does', async () => {
  const { router } = show({ vipLevel: 1 })
  await screen.findByRole('heading', { name: 'Refused' })
  await userEvent.click(screen.getByRole('button', { name: 'Again' }))
  const message = screen.getByRole('alert')
  await userEvent.click(await within(message).findByRole('button', { name: 'Upgrade membership' }))
  expect(router.state.location).toMatchObject({ pathname: '/userCenter', search: '?tab=upgrade' })
})

it('is in no message to a member whom no higher level helps', async () => {
  show({ vipLevel: 4 })
  await screen.findByRole('heading', { name: 'Refused' })
  expect(screen.getByRole('alert')).toHaveTextContent('upgrade your membership')
  expect(screen.queryByRole('button', { name: 'Upgrade membership' })).toBeNull()
})
