import type { Answer } from '@neuroloom/contract/calls'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { OwnPoints } from '../../src/features/membership/own-points.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { orderNo } from './make-own-orders.ts'

const paid = {
  id: 'a',
  kind: 'plan_paid',
  orderNo,
  level: 3,
  model: null,
  points: 10_000,
  at: '2027-01-01T09:02:00.000Z',
} as const
const refunded = { ...paid, id: 'b', kind: 'plan_refunded', points: -10_000 } as const

function open(answer: Partial<Answer<'points/list'>> = {}) {
  signIn()
  const received = serve({
    'points/list': () => ({ balance: 10_000, records: [paid], total: 1, pageSize: 20, ...answer }),
  })
  renderPart(<OwnPoints />)
  return { person: userEvent.setup(), received }
}

it('says how many points there are, what they are, and what changed them', async () => {
  open({ records: [refunded, paid], total: 2, balance: 0 })
  expect(await screen.findByText('0 points')).toBeVisible()
  expect(screen.getByText(/1 point for each yuan/)).toBeVisible()
  const [, first, second] = screen.getAllByRole('row')
  if (!first || !second) throw new Error('two rows were expected')
  expect(within(first).getByText('Plan refunded: Silver member')).toBeVisible()
  expect(within(first).getByText('-10,000')).toBeVisible()
  expect(within(second).getByText('Plan paid: Silver member')).toBeVisible()
  expect(within(second).getByText('+10,000')).toBeVisible()
  expect(within(second).getByText(`Order ${orderNo}`)).toBeVisible()
  expect(screen.queryByText(/below zero/)).toBeNull()
})

it('explains why points may be below zero', async () => {
  open({ balance: -5_000, records: [refunded] })
  expect(await screen.findByText('-5,000 points')).toBeVisible()
  expect(screen.getByText(/Your points are below zero/)).toBeVisible()
})

it('comes in pages', async () => {
  const { person, received } = open({ total: 45 })
  await person.click(await screen.findByRole('listitem', { name: '2' }))
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ page: 2 }))
})

it('leads to the plans while nothing was paid', async () => {
  open({ balance: 0, records: [], total: 0 })
  expect(await screen.findByRole('heading', { name: 'No points yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'See the membership plans' })).toHaveAttribute(
    'href',
    '/userCenter?tab=membership',
  )
})

it('tells models bought, given back and sold apart', async () => {
  const model = { ...paid, level: null, model: 'Nuclei' }
  open({
    records: [
      { ...model, id: 'c', kind: 'model_paid', points: -100 },
      { ...model, id: 'd', kind: 'model_paid', points: 100 },
      { ...model, id: 'e', kind: 'model_refunded', points: 100 },
      { ...model, id: 'f', kind: 'sale_recorded', points: 97 },
    ],
    total: 4,
  })
  expect(await screen.findByText('Model bought with points: Nuclei')).toBeVisible()
  for (const text of ['Model bought with money: Nuclei', 'Model given back: Nuclei', 'Model sold: Nuclei'])
    expect(screen.getByText(text)).toBeVisible()
})
