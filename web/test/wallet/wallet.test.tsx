import type { Answer } from '@neuroloom/contract/calls'
import type { WalletRecord, Withdrawal } from '@neuroloom/contract/membership/wallet'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { OwnWallet } from '../../src/features/wallet/own-wallet.tsx'
import { UserCenter } from '../../src/pages/user-center.tsx'
import { makeSetting, makeUser, signIn } from '../make.ts'
import { fill } from '../office/make-orders.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

const number = '20270101000000000001'
const sale: WalletRecord = {
  ...{ id: '1', direction: 'in', status: 'recorded', model: 'Nuclei', work: null, method: null },
  ...{ number, amountFen: 9_700, at: '2027-01-01T09:00:00.000Z', reason: '' },
}
const withdrawn: WalletRecord = {
  ...{ id: '2', direction: 'out', status: 'under_review', model: null, work: null, method: 'bank' },
  ...{ number: '20270101000000000002', amountFen: 5_000, at: '2027-01-02T09:00:00.000Z', reason: '' },
}
const withdrawal: Withdrawal = {
  ...{ withdrawalNo: withdrawn.number, amountFen: 5_000, status: 'not_passed', method: 'bank' },
  payee: { method: 'bank', name: 'Account Holder', bank: 'Bank of the City', account: '6222 0000 1111' },
  ...{ askedAt: withdrawn.at, reviewedAt: '2027-01-03T09:00:00.000Z', reference: '', reason: 'Other name.' },
}

type Shown = Partial<Answer<'wallet/records'>> & { availableFen?: number }

function open({ availableFen = 4_700, ...answer }: Shown = {}, handlers: Parameters<typeof serve>[0] = {}) {
  signIn()
  const received = serve({
    'wallet/balance': () => ({
      ...{ availableFen, notRecordedFen: 20_050, underReviewFen: 5_000, isTrial: false },
    }),
    'wallet/records': () => ({ records: [withdrawn, sale], total: 2, pageSize: 20, ...answer }),
    'wallet/withdrawal': () => withdrawal,
    ...handlers,
  })
  renderPart(<OwnWallet />)
  const sent = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { person: userEvent.setup(), sent }
}

describe('the wallet', () => {
  it('says what can be withdrawn, what is not recorded yet and what is under review', async () => {
    open()
    expect(await screen.findByText('CN¥47 can be withdrawn')).toBeVisible()
    expect(screen.getByText('Not recorded yet').nextElementSibling).toHaveTextContent('CN¥200.50')
    expect(screen.getByText('Withdrawals under review').nextElementSibling).toHaveTextContent('CN¥50')
    expect(screen.queryByText(/^Trial/)).toBeNull()
  })

  it('lists income and expenditure, each with its status', async () => {
    const more: WalletRecord[] = [
      { ...sale, id: '3', status: 'not_recorded', model: 'Cells' },
      { ...sale, id: '4', status: 'not_passed', model: 'Vessels' },
      { ...withdrawn, id: '5', status: 'not_passed', reason: 'Other name.' },
    ]
    open({ records: [withdrawn, sale, ...more], total: 5 })
    const table = await screen.findByRole('table', { name: 'Wallet records' })
    const rows = within(table).getAllByRole('row').slice(1)
    const texts = rows.map((row) => row.textContent ?? '')
    expect(texts[0]).toMatch(/Withdrawal by Bank account.*Under review−CN¥50/)
    expect(texts[1]).toMatch(/Model sold: Nuclei.*Recorded\+CN¥97/)
    expect(texts[2]).toMatch(/Model sold: Cells.*Not recorded/)
    expect(texts[3]).toMatch(/Model sold and given back: Vessels.*Not passed/)
    expect(texts[4]).toMatch(/Reason: Other name\..*Not passed/)
  })

  it('shows income alone, and comes in pages', async () => {
    const { person, sent } = open({ total: 45 })
    await person.click(await screen.findByRole('listitem', { name: '2' }))
    await waitFor(() => expect(sent('wallet/records').at(-1)).toEqual({ direction: null, page: 2 }))
    await person.click(screen.getByRole('combobox', { name: 'Which records' }))
    await person.click(await screen.findByTitle('Income'))
    await waitFor(() => expect(sent('wallet/records').at(-1)).toEqual({ direction: 'in', page: 1 }))
  })

  it('shows where a withdrawal goes, and why it was not passed', async () => {
    const { person, sent } = open()
    await person.click(await screen.findByRole('button', { name: 'Withdrawal by Bank account' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Withdrawal')).toBeInTheDocument()
    for (const text of ['Account Holder', 'Bank of the City', '6222 0000 1111', 'Other name.'])
      expect(await dialog.findByText(text)).toBeInTheDocument()
    expect(sent('wallet/withdrawal')).toEqual([{ withdrawalNo: withdrawn.number }])
  })

  it('leads to the own shop while nothing was sold, and has nothing to withdraw', async () => {
    open({ records: [], total: 0, availableFen: 0 })
    expect(await screen.findByRole('link', { name: 'Go to my online shop' })).toHaveAttribute(
      'href',
      '/userCenter?tab=shop',
    )
    expect(screen.getByRole('button', { name: 'Withdraw …' })).toBeDisabled()
  })
})

describe('a withdrawal', () => {
  async function ask(handlers: Parameters<typeof serve>[0] = {}) {
    const opened = open({}, handlers)
    await opened.person.click(await screen.findByRole('button', { name: 'Withdraw …' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Withdraw money')).toBeInTheDocument()
    return { ...opened, dialog, save: dialog.getByRole('button', { name: 'Ask for the withdrawal' }) }
  }

  it('is asked for with an amount in fen, an account and a request id of its own', async () => {
    const { person, dialog, save, sent } = await ask({ 'wallet/withdraw': () => withdrawal })
    expect(save).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Amount' }), '12.5')
    await fill(person, dialog.getByRole('textbox', { name: 'Name of the account holder' }), 'Account Holder')
    await fill(person, dialog.getByRole('textbox', { name: 'Alipay account' }), 'holder@example.test')
    await person.click(save)
    expect(await screen.findByText('The withdrawal is under review.')).toBeVisible()
    expect(sent('wallet/withdraw')).toEqual([
      {
        ...{
          amountFen: 1_250,
          method: 'alipay',
          name: 'Account Holder',
          bank: '',
          account: 'holder@example.test',
        },
        requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ])
    // What it changed is asked for again.
    await waitFor(() => expect(sent('wallet/balance').length).toBeGreaterThan(1))
  })

  it('sent again after a refusal is the same request', async () => {
    const { person, dialog, save, sent } = await ask({
      'wallet/withdraw': () => {
        throw new Refusal('balance_too_low', { have: '10.00' })
      },
    })
    await person.click(dialog.getByRole('button', { name: 'All of it' }))
    expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('47.00')
    await fill(person, dialog.getByRole('textbox', { name: 'Name of the account holder' }), 'Account Holder')
    await fill(person, dialog.getByRole('textbox', { name: 'Alipay account' }), 'holder')
    await person.click(save)
    expect(await dialog.findByRole('alert')).toHaveTextContent('Your wallet has 10.00 yuan')
    await person.click(save)
    await waitFor(() => expect(sent('wallet/withdraw')).toHaveLength(2))
    const [first, second] = sent('wallet/withdraw')
    expect(second?.requestId).toBe(first?.requestId)
  })

  it.each([
    ['0', 'The amount must be above zero'],
    ['-5', 'This is no amount in yuan'],
    ['1.005', 'This is no amount in yuan'],
    ['47.01', 'You can withdraw at most CN¥47.'],
  ])('of %s yuan cannot be asked for', async (amount, why) => {
    const { person, dialog, save } = await ask()
    await fill(person, dialog.getByRole('textbox', { name: 'Name of the account holder' }), 'Account Holder')
    await fill(person, dialog.getByRole('textbox', { name: 'Alipay account' }), 'holder')
    await fill(person, dialog.getByRole('textbox', { name: 'Amount' }), amount)
    expect(await dialog.findByText((text) => text.startsWith(why))).toBeInTheDocument()
    expect(save).toBeDisabled()
  })

  it('to a bank needs the bank and a number', async () => {
    const { person, dialog, save } = await ask()
    await fill(person, dialog.getByRole('textbox', { name: 'Amount' }), '1')
    await person.click(dialog.getByRole('radio', { name: 'Bank account' }))
    await fill(person, dialog.getByRole('textbox', { name: 'Name of the account holder' }), 'Account Holder')
    await fill(person, dialog.getByRole('textbox', { name: 'Account number' }), 'my account!')
    expect(await dialog.findByText(/^6 to 40 letters and digits/)).toBeInTheDocument()
    await fill(person, dialog.getByRole('textbox', { name: 'Account number' }), '6222 0000 1111')
    expect(save).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Bank and branch' }), 'Bank of the City')
    expect(save).toBeEnabled()
  })
})

it('a statement is asked for by its days, format and language; days in the wrong order are told', async () => {
  const link = { url: 'blob:nothing', name: 'wallet.csv' }
  const { person, sent } = open({}, { 'wallet/statement': () => link })
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  await person.click(await screen.findByRole('button', { name: 'Statement …' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Statement of the wallet')).toBeInTheDocument()
  const [from, to] = [dialog.getByLabelText('From'), dialog.getByLabelText('Until')]
  for (const [field, day] of [
    [from, '2027-02-01'],
    [to, '2027-01-31'],
  ] as const) {
    await person.clear(field)
    await person.type(field, day)
  }
  expect(await dialog.findByRole('alert')).toHaveTextContent('The first day comes after the last.')
  expect(dialog.getByRole('button', { name: 'Download' })).toBeDisabled()
  await person.clear(from)
  await person.type(from, '2027-01-01')
  await person.click(dialog.getByRole('radio', { name: 'CSV, for spreadsheets' }))
  await person.click(dialog.getByRole('button', { name: 'Download' }))
  await waitFor(() =>
    expect(sent('wallet/statement')).toEqual([
      { from: '2027-01-01', to: '2027-01-31', format: 'csv', language: 'en' },
    ]),
  )
})

describe('the personal centre', () => {
  async function center(host: number, tab = 'member') {
    signIn()
    serve({
      'user/info': () => makeUser(),
      'setting/public': () => makeSetting({ host }),
      'wallet/balance': () => ({
        ...{ availableFen: 100, notRecordedFen: 50, underReviewFen: 1_000, isTrial: false },
      }),
    })
    renderPart(<UserCenter />, `/userCenter?tab=${tab}`)
    return within(await screen.findByRole('navigation', { name: 'Personal centre' }))
  }

  it('warns who closes the account of money that nobody could withdraw then', async () => {
    await center(0, 'cancel')
    expect(await screen.findByText('There is money in your wallet: CN¥1.50')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to the wallet' })).toHaveAttribute(
      'href',
      '/userCenter?tab=wallet',
    )
  })

  it('has the wallet where things are sold', async () => {
    const sections = await center(0)
    expect(await sections.findByRole('link', { name: 'Wallet' })).toHaveAttribute(
      'href',
      '/userCenter?tab=wallet',
    )
  })

  it('has none on a hospital’s own server', async () => {
    const sections = await center(-1)
    await sections.findByRole('link', { name: 'History' })
    expect(sections.queryByRole('link', { name: 'Wallet' })).toBeNull()
  })
})
