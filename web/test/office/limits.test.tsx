import { planTable } from '@neuroloom/contract/limits'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { OfficeLimits } from '../../src/features/office/limit-facts.ts'
import { Admin } from '../../src/pages/admin.tsx'
import { makeSetting, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

const [ordinary, bronze, silver, gold] = planTable
const none = { ordinary: {}, bronze: {}, silver: {}, gold: {} }
const limits = (changes: Partial<OfficeLimits> = {}): OfficeLimits => ({
  levels: { ordinary, bronze, silver, gold },
  overrides: none,
  version: 3,
  changedAt: null,
  ...changes,
})

it('shows the limits of each level, and sets one, no limit, and the usual one again', async () => {
  signIn({ role: 2 })
  let now = limits({ overrides: { ...none, bronze: { projects: 9 } } })
  let refuses = true
  const received = serve({
    'setting/public': () => makeSetting(),
    'plans/office': () => now,
    'plans/change': ({ overrides, version }) => {
      if (refuses) throw new Refusal('limits_changed')
      // What the page sends is whole.
      now = limits({ overrides: overrides as OfficeLimits['overrides'], version: version + 1 })
      return now
    },
  })
  renderPart(<Admin />, '/admin?part=limits')
  const person = userEvent.setup()
  const row = async (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) })
  expect(await row('Projects')).toHaveTextContent('Projects39instead of 61224')
  await person.click(screen.getByRole('button', { name: 'Change: Bronze member' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.clear(dialog.getByLabelText('Projects'))
  await person.clear(dialog.getByLabelText('Storage (GB)'))
  await person.type(dialog.getByLabelText('Storage (GB)'), '700')
  await person.click(dialog.getAllByRole('checkbox', { name: 'No limit' })[3] as HTMLElement)
  await person.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('Somebody else has just changed the limits')
  refuses = false
  await person.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect(await row('Storage')).toHaveTextContent('700 GBinstead of 500 GB'))
  expect(received.findLast(({ path }) => path === 'plans/change')?.body).toEqual({
    overrides: { ...none, bronze: { storageBytes: 700 * 1024 ** 3, trainedModels: null } },
    version: 3,
  })
})
