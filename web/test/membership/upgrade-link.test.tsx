import type { User } from '@neuroloom/contract/accounts/accounts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { StorageBar } from '../../src/features/files/storage-bar.tsx'
import { Refusal as ProjectRefusal } from '../../src/features/projects/refusal.tsx'
import { CallError } from '../../src/lib/api.ts'
import { UpgradeLink } from '../../src/ui/limits/upgrade-link.tsx'
import { SharedFull } from '../../src/ui/share/shared-count.tsx'
import { makeSetting, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

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
