import type { OfficeClaim } from '@neuroloom/contract/shop/seller'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill, openOffice } from './make-orders.ts'

const claim: OfficeClaim = {
  ...{ id: 'claim-1', ground: 'does_not_work', text: 'It ends with an error.', state: 'open', reason: '' },
  ...{ at: '2027-01-03T09:00:00.000Z', decidedAt: null },
  sale: {
    ...{ orderNo: '20270101000000000001', listingId: 'model-1', model: 'Nuclei', buyer: 'Ward' },
    ...{ unit: 'fen', amount: 10_000, share: 9_700, state: 'held' },
    ...{ at: '2027-01-01T09:00:00.000Z', recordAt: '2027-01-08T09:00:00.000Z' },
  },
  ...{ buyerAccount: 'ward@hospital.example', sellerAccount: 'lab@hospital.example', uses: 3, check: null },
  ...{ listing: { id: 'model-1', name: 'Nuclei', version: 2 }, isOwn: false },
}

function openClaims(changes: Partial<OfficeClaim> = {}) {
  let one = { ...claim, ...changes }
  return openOffice('claims', {
    'office/claims': ({ state }) => {
      const claims = state === null || state === one.state ? [one] : []
      return { claims, total: claims.length, pageSize: 24 }
    },
    'office/claim': ({ decision, reason }) => {
      one = { ...one, state: decision, reason }
      return one
    },
  })
}

describe('the claims', () => {
  it('say who asks what back and why, and are granted with a reason', async () => {
    const { person, sent } = openClaims()
    const card = within(await screen.findByRole('article', { name: 'Does not work' }))
    for (const text of ['CN¥100', 'It ends with an error.', 'Nuclei · 2', 'ward@hospital.example'])
      expect(card.getByText(text)).toBeVisible()
    await person.click(card.getByRole('button', { name: 'Grant' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('button', { name: 'Grant' })).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'Seen here too')
    await person.click(dialog.getByRole('button', { name: 'Grant' }))
    expect(await screen.findByRole('heading', { name: 'No claim waits' })).toBeVisible()
    expect(sent('office/claim')).toEqual([{ id: 'claim-1', decision: 'granted', reason: 'Seen here too' }])
  })

  it('of a model that one bought or sold are left to another administrator', async () => {
    openClaims({ isOwn: true })
    const card = within(await screen.findByRole('article', { name: 'Does not work' }))
    expect(card.getByText(/another administrator decides/)).toBeVisible()
    expect(card.queryByRole('button', { name: 'Grant' })).toBeNull()
  })
})
