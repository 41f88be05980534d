import type { OfficeOrder } from '@neuroloom/contract/membership/orders'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../serve.ts'
import { dialogOf, fill, makeInvoice, makeOrder, openOffice, orderNo } from './make-orders.ts'

/** The orders' part, where one order is listed and becomes what the calls make of it. */
function openOrders(changes: Partial<OfficeOrder> = {}, total = 1) {
  let order = makeOrder(changes)
  const become = (more: Partial<OfficeOrder>): OfficeOrder => {
    order = { ...order, ...more }
    return order
  }
  return openOffice('orders', {
    'office/orders': ({ search }) => ({ orders: search === 'nobody' ? [] : [order], total, pageSize: 20 }),
    'office/confirmTransfer': ({ reference, amountFen }) => {
      if (amountFen !== order.amountFen) throw new Refusal('amount_differs')
      const at = '2027-01-03T09:00:00.000Z'
      return become({ state: 'paid', paidAt: at, transactions: [{ id: reference, amountFen, at }] })
    },
    'office/refund': ({ amountFen, reason }) => {
      if (reason === 'twice') throw new Refusal('refund_too_much')
      return become({ state: 'returning', refundedFen: amountFen, refundReason: reason })
    },
    'office/returned': () => become({ state: 'refunded' }),
  })
}

async function openOrder(person: UserEvent) {
  await person.click(await screen.findByRole('button', { name: orderNo }))
  return await dialogOf(`Order ${orderNo}`)
}

describe('the orders', () => {
  it('tell who ordered what, for how much, and how it stands', async () => {
    openOrders({ creditFen: 50_000, amountFen: 950_000 })
    const row = within(await screen.findByRole('row', { name: new RegExp(orderNo) }))
    for (const text of ['Member', 'Silver member', 'Alipay', 'CN¥9,500', 'after a credit of CN¥500'])
      expect(row.getByText(text)).toBeInTheDocument()
    expect(row.getByText('member@hospital.example')).toBeInTheDocument()
    expect(row.getAllByText('Paid')).not.toEqual([])
  })

  it('are found by text, state, way to pay and page', async () => {
    const { person, sent } = openOrders({}, 45)
    await person.click(await screen.findByRole('listitem', { name: '2' }))
    await waitFor(() =>
      expect(sent('office/orders').at(-1)).toEqual({ search: '', state: null, method: null, page: 2 }),
    )
    await person.click(screen.getByRole('combobox', { name: 'State of the order' }))
    await person.click(await screen.findByTitle('Waiting for payment'))
    await person.click(screen.getByRole('combobox', { name: 'Way to pay' }))
    await person.click(await screen.findByTitle('Bank transfer'))
    await fill(person, screen.getByRole('searchbox'), 'nobody')
    await waitFor(() =>
      expect(sent('office/orders').at(-1)).toEqual({
        search: 'nobody',
        state: 'waiting',
        method: 'transfer',
        page: 1,
      }),
    )
    expect(await screen.findByRole('heading', { name: 'No order found' })).toBeVisible()
  })

  it('show their payments and invoice, and have nothing to do where nothing changes', async () => {
    const { person } = openOrders({
      state: 'refunded',
      transactions: [{ id: '4200-77', amountFen: 1_000_000, at: '2027-01-01T09:02:00.000Z' }],
      invoice: makeInvoice({ state: 'issued', number: '00112233' }),
      refundReason: 'Ordered twice',
      refundedFen: 750_000,
    })
    const drawer = await openOrder(person)
    expect(drawer.getByText(/4200-77/)).toBeVisible()
    expect(drawer.getByText('00112233')).toBeVisible()
    expect(drawer.getByText('Ordered twice')).toBeVisible()
    expect(drawer.getAllByRole('button').map((one) => one.getAttribute('aria-label'))).toEqual(['Close'])
  })

  it('tell why money could not be given back', async () => {
    const { person } = openOrders({ state: 'returning', refundProblem: 'NOT_ENOUGH' })
    const drawer = await openOrder(person)
    expect(drawer.getByRole('alert')).toHaveTextContent('NOT_ENOUGH')
  })
})

describe('a bank transfer', () => {
  const waiting = { method: 'transfer', state: 'waiting', paidAt: null, from: null, until: null } as const

  it('is confirmed with its reference and the very amount', async () => {
    const { person, sent } = openOrders(waiting)
    const drawer = await openOrder(person)
    await person.click(drawer.getByRole('button', { name: 'Transfer arrived …' }))
    const dialog = await dialogOf('The bank transfer has arrived')
    const amount = dialog.getByRole('textbox', { name: 'Amount that arrived' })
    expect(amount).toHaveValue('')
    expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Reference at the bank' }), ' B-77 ')
    await fill(person, amount, '9,000')
    await person.click(dialog.getByRole('button', { name: 'Confirm CN¥9,000' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('This is not the amount of the order.')
    expect(dialog.getByRole('textbox', { name: 'Reference at the bank' })).toHaveValue(' B-77 ')
    await fill(person, amount, '10000')
    await person.click(dialog.getByRole('button', { name: /Confirm CN¥10,000$/ }))
    expect(await screen.findByRole('status')).toHaveTextContent(`Order ${orderNo} is paid.`)
    expect(sent('office/confirmTransfer').at(-1)).toEqual({
      orderNo,
      reference: 'B-77',
      amountFen: 1_000_000,
    })
    await waitFor(() => expect(drawer.getByText(/B-77/)).toBeVisible())
    expect(drawer.queryByRole('button', { name: 'Transfer arrived …' })).toBeNull()
  })

  it('for ordered work says that its money is held', async () => {
    const work = { id: 'd1', name: 'Outline nuclei' }
    const { person } = openOrders({ ...waiting, kind: 'work', level: 0, years: 0, work })
    const drawer = await openOrder(person)
    await person.click(drawer.getByRole('button', { name: 'Transfer arrived …' }))
    const dialog = await dialogOf('The bank transfer has arrived')
    expect(dialog.getByText(/work “Outline nuclei”: .+ held until the work is accepted/)).toBeVisible()
  })

  it('of one’s own is left to another administrator', async () => {
    const { person } = openOrders({ ...waiting, isOwn: true })
    const drawer = await openOrder(person)
    expect(drawer.getByText(/another administrator confirms it/)).toBeVisible()
    expect(drawer.queryByRole('button', { name: 'Transfer arrived …' })).toBeNull()
  })

  it('can arrive after its order expired', async () => {
    const { person } = openOrders({ ...waiting, state: 'expired' })
    const drawer = await openOrder(person)
    expect(drawer.getByRole('button', { name: 'Transfer arrived …' })).toBeVisible()
  })

  it('that goes back is sent by hand, and told with its reference', async () => {
    const { person, sent } = openOrders({ method: 'transfer', state: 'returning' })
    const drawer = await openOrder(person)
    await person.click(drawer.getByRole('button', { name: 'Money was sent back …' }))
    const dialog = await dialogOf('The money was sent back')
    expect(dialog.getByRole('button', { name: 'It was sent' })).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Reference at the bank' }), 'R-1')
    await person.click(dialog.getByRole('button', { name: 'It was sent' }))
    await waitFor(() => expect(sent('office/returned')).toEqual([{ orderNo, reference: 'R-1' }]))
    await waitFor(() => expect(drawer.queryByRole('button', { name: 'Money was sent back …' })).toBeNull())
  })
})

describe('a refund', () => {
  async function openRefund(changes: Partial<OfficeOrder> = {}) {
    const opened = openOrders(changes)
    const drawer = await openOrder(opened.person)
    await opened.person.click(drawer.getByRole('button', { name: 'Refund …' }))
    return {
      ...opened,
      drawer,
      dialog: await dialogOf('Give money back'),
    }
  }

  it('suggests what unused days are worth, says what ends, and asks before money moves', async () => {
    const { person, sent, dialog, drawer } = await openRefund()
    expect(dialog.getByText(/ends at once.*Silver member/)).toBeInTheDocument()
    const amount = dialog.getByRole('textbox', { name: 'Amount' })
    expect(amount).toHaveValue('7500.00')
    const next = dialog.getByRole('button', { name: 'Continue …' })
    expect(next).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'Ordered twice')
    await fill(person, amount, '10000.01')
    expect(amount).toHaveAccessibleDescription('At most CN¥10,000 can be given back.')
    expect(next).toBeDisabled()
    await fill(person, amount, '5000.5')
    await person.click(next)
    const ask = await dialogOf('Give CN¥5,000.50 back?')
    expect(sent('office/refund')).toEqual([])
    await person.click(ask.getByRole('button', { name: 'Give CN¥5,000.50 back' }))
    await waitFor(() =>
      expect(sent('office/refund')).toEqual([{ orderNo, amountFen: 500_050, reason: 'Ordered twice' }]),
    )
    expect(await drawer.findByText('Ordered twice')).toBeVisible()
  })

  it('is left by saying no', async () => {
    const { person, sent, dialog } = await openRefund()
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'Ordered twice')
    await person.click(dialog.getByRole('button', { name: 'Continue …' }))
    const ask = await dialogOf('Give CN¥7,500 back?')
    await person.click(ask.getByRole('button', { name: 'Cancel' }))
    expect(sent('office/refund')).toEqual([])
    expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('Ordered twice')
  })

  it('that is refused says why and can be put right', async () => {
    const { person, dialog } = await openRefund()
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'twice')
    await person.click(dialog.getByRole('button', { name: 'Continue …' }))
    await person.click(await screen.findByRole('button', { name: 'Give CN¥7,500 back' }))
    expect(await dialog.findByText(/^This is more than is left/)).toBeInTheDocument()
  })

  it('of a bank transfer says that the money is sent by hand, and of an invoice that it is to be cancelled', async () => {
    const invoice = makeInvoice({ state: 'issued', number: '00112233' })
    const { dialog } = await openRefund({ method: 'transfer', invoice })
    expect(dialog.getByText(/is not returned automatically/)).toBeInTheDocument()
    expect(dialog.getByText(/^Invoice 00112233 was issued/)).toBeInTheDocument()
  })
})
