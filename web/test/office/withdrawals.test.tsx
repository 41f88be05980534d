import type { OfficeWithdrawal } from '@neuroloom/contract/membership/wallet'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../serve.ts'
import { fill, openOffice } from './make-orders.ts'

const makeWithdrawal = (changes: Partial<OfficeWithdrawal> = {}): OfficeWithdrawal => ({
  withdrawalNo: '20270101000000000002',
  amountFen: 500_050,
  status: 'under_review',
  method: 'bank',
  payee: { method: 'bank', name: 'Account Holder', bank: 'Bank of the City', account: '6222 0000 1111' },
  askedAt: '2027-01-01T09:00:00.000Z',
  reviewedAt: null,
  reference: '',
  reason: '',
  member: { account: 'holder@hospital.example', nickName: 'Li' },
  isOwn: false,
  ...changes,
})

/** The withdrawals' part, where one is listed as long as it has the status that is asked for. */
function openWithdrawals(changes: Partial<OfficeWithdrawal> = {}, options = {}) {
  let withdrawal = makeWithdrawal(changes)
  return openOffice(
    'withdrawals',
    {
      'office/withdrawals': ({ state }) => {
        const withdrawals = state === null || state === withdrawal.status ? [withdrawal] : []
        return { withdrawals, total: withdrawals.length, pageSize: 20 }
      },
      'office/withdrawal': ({ decision }) => {
        if (decision.is === 'passed' && decision.reference === 'late') throw new Refusal('withdrawal_decided')
        withdrawal =
          decision.is === 'passed'
            ? { ...withdrawal, status: 'recorded', reference: decision.reference }
            : { ...withdrawal, status: 'not_passed', reason: decision.reason }
        return withdrawal
      },
    },
    options,
  )
}

describe('the withdrawals', () => {
  it('that wait come first, with the amount and the account that it goes to', async () => {
    const { sent } = openWithdrawals()
    const card = within(await screen.findByRole('article', { name: 'Bank account' }))
    for (const text of [
      ...[
        'CN¥5,000.50',
        'Li (holder@hospital.example)',
        'Account Holder',
        'Bank of the City',
        '6222 0000 1111',
      ],
    ])
      expect(card.getByText(text)).toBeVisible()
    expect(sent('office/withdrawals')[0]).toEqual({ state: 'under_review', page: 1 })
  })

  it('are recorded under the reference of the payment', async () => {
    const { person, sent } = openWithdrawals()
    await person.click(await screen.findByRole('button', { name: 'Paid out …' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('CN¥5,000.50 was paid out')).toBeInTheDocument()
    const save = dialog.getByRole('button', { name: 'It was paid out' })
    expect(save).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Reference of the payment' }), 'late')
    await person.click(save)
    expect(await dialog.findByRole('alert')).toHaveTextContent('This withdrawal was reviewed already.')
    await fill(person, dialog.getByRole('textbox', { name: 'Reference of the payment' }), 'PAY-1')
    await person.click(save)
    expect(await screen.findByRole('heading', { name: 'No withdrawal waits' })).toBeVisible()
    expect(sent('office/withdrawal').at(-1)).toEqual({
      withdrawalNo: '20270101000000000002',
      decision: { is: 'passed', reference: 'PAY-1' },
    })
  })

  it('are refused for a reason, and found again by their status', async () => {
    const { person, sent } = openWithdrawals()
    await person.click(await screen.findByRole('button', { name: 'Refuse …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'Other name.')
    await person.click(dialog.getByRole('button', { name: 'Refuse' }))
    await waitFor(() =>
      expect(sent('office/withdrawal')).toEqual([
        {
          withdrawalNo: '20270101000000000002',
          decision: { is: 'refused', reason: 'Other name.' },
        },
      ]),
    )
    await person.click(await screen.findByRole('combobox', { name: 'Which withdrawals' }))
    await person.click(await screen.findByTitle('Not passed'))
    const card = within(await screen.findByRole('article', { name: 'Bank account' }))
    expect(card.getByText('Other name.')).toBeVisible()
    expect(card.queryByRole('button', { name: 'Refuse …' })).toBeNull()
  })

  it('of oneself are another administrator’s to review', async () => {
    openWithdrawals({ isOwn: true })
    const card = within(await screen.findByRole('article', { name: 'Bank account' }))
    expect(card.getByText(/another administrator reviews it/)).toBeVisible()
    expect(card.queryByRole('button')).toBeNull()
  })

  it('are not there on a hospital’s own server', async () => {
    const { sent } = openWithdrawals({}, { host: -1 })
    await waitFor(() => expect(sent('setting/public')).not.toEqual([]))
    await screen.findByRole('link', { name: 'Server' })
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Withdrawals' })).toBeNull())
    expect(sent('office/withdrawals')).toEqual([])
  })
})
