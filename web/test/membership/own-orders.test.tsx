import type { Answer } from '@neuroloom/contract/calls'
import type { Order } from '@neuroloom/contract/membership/orders'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { OwnOrders } from '../../src/features/membership/own-orders.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeOwnInvoice, makeOwnOrder, orderNo, waiting } from './make-own-orders.ts'

const bank = { holder: 'Neuroloom Ltd', bank: 'Bank of the City', account: '6222 0000 1111' }

/** The member's orders; one that is cancelled is cancelled, unless it was `paid` meanwhile. */
function open(orders: Order[], more: Partial<Answer<'payment/orders'>> = {}, paid = false) {
  signIn()
  let shown = orders
  const received = serve({
    'payment/orders': () => ({
      orders: shown,
      total: shown.length,
      pageSize: 20,
      bank: null,
      isTrial: false,
      ...more,
    }),
    'payment/cancel': (body) => {
      const become = (changes: Partial<Order>) => {
        shown = shown.map((one) => (one.orderNo === body.orderNo ? { ...one, ...changes } : one))
      }
      if (paid) {
        become({ state: 'paid', paidAt: '2027-01-01T09:02:00.000Z' })
        throw new Refusal('order_paid')
      }
      become({ state: 'cancelled' })
      return makeOwnOrder({ ...waiting, state: 'cancelled' })
    },
  })
  const onPay = vi.fn()
  // Before the part is shown: it takes the place of the clipboard.
  const person = userEvent.setup()
  renderPart(<OwnOrders onPay={onPay} />)
  const sent = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { person, onPay, sent }
}

const card = async (name: RegExp = /Silver member/) => within(await screen.findByRole('article', { name }))

describe('the own orders', () => {
  it('say what was bought, for how much, how it was paid and until when it is good', async () => {
    open([makeOwnOrder({ amountFen: 950_000, creditFen: 50_000, years: 2 })])
    const order = await card(/^Silver member, for 2 years$/)
    for (const text of ['CN¥9,500', 'CN¥500', 'Alipay', orderNo]) expect(order.getByText(text)).toBeVisible()
    expect(order.getByText('Valid until').nextSibling).toHaveTextContent(/3 Feb 2028/)
    expect(order.queryByRole('button')).toBeNull()
    expect(screen.queryByText(/No money moves/)).toBeNull()
  })

  it('show what was given back, and no longer until when it was good', async () => {
    open([makeOwnOrder({ state: 'refunded', refundedFen: 750_000 })])
    const order = await card()
    expect(order.getByText('CN¥7,500')).toBeVisible()
    expect(order.queryByText('Valid until')).toBeNull()
  })

  it('show the invoice with its number, or why it was refused', async () => {
    open([
      makeOwnOrder({ invoice: makeOwnInvoice({ state: 'issued', number: '00112233' }) }),
      makeOwnOrder({
        orderNo: '20270101000000000002',
        level: 2,
        invoice: makeOwnInvoice({ state: 'refused', reason: 'The number does not exist.' }),
      }),
    ])
    const issued = await card(/Silver/)
    expect(issued.getByText('Issued')).toBeVisible()
    expect(issued.getByText('00112233')).toBeVisible()
    const refused = await card(/Bronze/)
    expect(refused.getByText('The number does not exist.')).toBeVisible()
  })

  it('lead to the plans while there are none', async () => {
    open([])
    expect(await screen.findByRole('heading', { name: 'No orders yet' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the membership plans' })).toHaveAttribute(
      'href',
      '/userCenter?tab=membership',
    )
  })

  it('come in pages', async () => {
    const { person, sent } = open([makeOwnOrder()], { total: 45 })
    await person.click(await screen.findByRole('listitem', { name: '2' }))
    await waitFor(() => expect(sent('payment/orders').at(-1)).toEqual({ page: 2 }))
  })

  it('say that no money moves on a trial', async () => {
    open([makeOwnOrder()], { isTrial: true })
    expect(await screen.findByText(/No money moves/)).toBeVisible()
  })

  it('can be asked for again after a failure', async () => {
    signIn()
    serve({})
    renderPart(<OwnOrders onPay={() => undefined} />)
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
  })
})

describe('an order that waits', () => {
  it('can be paid', async () => {
    const { person, onPay } = open([makeOwnOrder(waiting)])
    const order = await card()
    expect(order.getByText('To be paid by')).toBeVisible()
    await person.click(order.getByRole('button', { name: 'Continue paying' }))
    expect(onPay).toHaveBeenCalledWith(makeOwnOrder(waiting))
  })

  it('is cancelled once that was confirmed', async () => {
    const { person, sent } = open([makeOwnOrder(waiting)])
    const order = await card()
    await person.click(order.getByRole('button', { name: 'Cancel the order …' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this order?' }))
    expect(sent('payment/cancel')).toEqual([])
    await person.click(dialog.getByRole('button', { name: 'Cancel the order' }))
    expect(await order.findByText('Cancelled')).toBeVisible()
    expect(sent('payment/cancel')).toEqual([{ orderNo }])
    expect(order.queryByRole('button', { name: 'Continue paying' })).toBeNull()
  })

  it('is kept by saying so', async () => {
    const { person, sent } = open([makeOwnOrder(waiting)])
    const order = await card()
    await person.click(order.getByRole('button', { name: 'Cancel the order …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Keep the order' }))
    expect(sent('payment/cancel')).toEqual([])
    expect(order.getByText('Waiting for payment')).toBeVisible()
  })

  it('that was paid meanwhile stays paid, and says so', async () => {
    const { person } = open([makeOwnOrder(waiting)], {}, true)
    const order = await card()
    await person.click(order.getByRole('button', { name: 'Cancel the order …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Cancel the order' }))
    expect(await order.findByRole('alert')).toHaveTextContent('This order is paid already.')
    await waitFor(() => expect(order.queryByRole('button', { name: 'Cancel the order …' })).toBeNull())
  })

  it('for a bank transfer says where to, each to be copied', async () => {
    const { person } = open([makeOwnOrder({ ...waiting, method: 'transfer' })], { bank })
    const order = await card()
    for (const text of Object.values(bank)) expect(order.getByText(text)).toBeVisible()
    await person.click(order.getByRole('button', { name: 'Copy: Account number' }))
    expect(await navigator.clipboard.readText()).toBe(bank.account)
    await person.click(order.getByRole('button', { name: 'Copy: Reference' }))
    expect(await navigator.clipboard.readText()).toBe(orderNo)
    expect(order.queryByRole('button', { name: 'Continue paying' })).toBeNull()
    expect(order.getByRole('button', { name: 'Cancel the order …' })).toBeVisible()
  })
})
