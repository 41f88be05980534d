import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { InvoiceFields } from '../../src/features/membership/upgrade-invoice.tsx'
import { BuyDialog } from '../../src/features/shop/buy-dialog.tsx'
import { ListingView } from '../../src/features/shop/listing-view.tsx'
import { OwnShop } from '../../src/features/shop/selling/own-shop.tsx'
import { ShopList } from '../../src/features/shop/shop-list.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeCard, makeListing, makeOwnListing, sale } from './make-listing.ts'

const nothing = () => undefined
const setting = () => ({ host: 0 }) as never

function showListing(listing = makeListing(), handlers: Parameters<typeof serve>[0] = {}) {
  signIn()
  const received = serve({
    'setting/public': setting,
    'shop/reviews': () => ({ reviews: [], total: 0, pageSize: 10 }),
    'projects/list': () => ({ projects: [], next: null, limit: null, own: 0 }) as never,
    ...handlers,
  })
  renderPart(
    <ListingView listing={listing} drawing={null} networkName="U-Net" onBuy={nothing} onPredict={nothing} />,
  )
  return { person: userEvent.setup(), received }
}

describe('the list', () => {
  it('shows what a model does, how well, and what it costs', async () => {
    signIn()
    serve({ 'shop/list': () => ({ listings: [makeCard({ isDisputed: true })], total: 1, pageSize: 24 }) })
    renderPart(<ShopList />)
    const card = await screen.findByRole('article')
    expect(within(card).getByRole('link', { name: 'Nuclei' })).toHaveAttribute(
      'href',
      '/merchandiseDetail?id=model-1',
    )
    for (const text of ['CN¥100', '91%', 'measured again by the platform', 'used in 3 projects', 'Tissue'])
      expect(within(card).getByText(text)).toBeVisible()
    expect(within(card).getByText(/claim about this model is under review/)).toBeVisible()
  })

  it('takes its filters from the address, and says what to do when nothing fits', async () => {
    signIn()
    const received = serve({ 'shop/list': () => ({ listings: [], total: 0, pageSize: 24 }) })
    renderPart(<ShopList />, '/shopHome?organ=heart&task=nonsense&mine=1')
    expect(await screen.findByText('No model fits')).toBeVisible()
    expect(received[0]?.body).toMatchObject({ organ: 'heart', task: null, held: true, page: 1 })
  })
})

describe('a model', () => {
  it('tells its score with interval, test size and a word of caution, its card and its versions', async () => {
    showListing()
    expect(await screen.findByText('95 % interval 0.880 – 0.930')).toBeVisible()
    expect(screen.getByText(/40 test images say little/)).toBeVisible()
    expect(screen.getByText(/It is no medical approval/)).toBeVisible()
    expect(screen.getByText('Five hospitals')).toBeVisible()
    expect(screen.getByText('Independent cases')).toBeVisible()
    expect(within(screen.getByRole('table', { name: 'Versions' })).getByText('More images')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Download the weights' })).toBeNull()
  })

  it('in a free place is used, but its weights are not taken away', async () => {
    showListing(makeListing({ held: 'place' }))
    expect(await screen.findByRole('button', { name: 'Predict with it' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Download the weights' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Buy' })).toBeVisible()
  })

  it('of one’s own is not sold to oneself', async () => {
    showListing(makeListing({ held: 'own', isOwn: true }))
    expect(await screen.findByText('This is your own model.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Buy' })).toBeNull()
  })

  it('gives a place up for another where all are taken', async () => {
    const held = [{ id: 'other', name: 'Lungs', freeFrom: '2026-01-01T00:00:00.000Z' }]
    const { person, received } = showListing(makeListing({ mine: { places: { most: 1, held } } }), {
      'shop/place': () => makeListing({ held: 'place' }),
    })
    await person.click(await screen.findByRole('button', { name: 'Use a free place' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('button', { name: 'Use a free place' })).toBeDisabled()
    await person.click(dialog.getByRole('radio', { name: 'Lungs' }))
    await person.click(dialog.getByRole('button', { name: 'Use a free place' }))
    await waitFor(() => expect(received.at(-1)?.path).toBe('shop/place'))
    expect(received.at(-1)?.body).toEqual({ id: 'model-1', instead: 'other' })
  })

  it('goes back within seven days; where a person decides, words are asked for', async () => {
    const { person, received } = showListing(makeListing({ held: 'money', mine: { sale } }), {
      'shop/claim': () => {
        throw new Refusal('claim_used')
      },
    })
    await person.click(await screen.findByRole('button', { name: /^Give it back/ }))
    const dialog = within(await screen.findByRole('dialog'))
    const send = dialog.getByRole('button', { name: 'Ask for a refund' })
    await person.click(dialog.getByText('It does not work.'))
    expect(send).toBeDisabled()
    await person.click(dialog.getByText('Bought by mistake.'))
    await person.click(send)
    expect(await dialog.findByRole('alert')).toHaveTextContent(/This model was used/)
    expect(received.at(-1)?.body).toMatchObject({ orderNo: sale.orderNo, ground: 'by_mistake' })
  })

  it('says of earlier tries how often the same images were looked at', async () => {
    const drive = {
      ...{ runId: 'run-1', projectId: 'p', datasetName: 'Ward 7', version: 2, state: 'done', score: 0.8 },
      ...{ at: '2027-01-02T09:00:00.000Z', looks: 3 },
    }
    const { person } = showListing(makeListing({ mine: { drives: [drive] } }))
    await person.click(await screen.findByRole('button', { name: 'Try it on my images' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText(/You need a project of this task/)).toBeInTheDocument()
    expect(dialog.getByRole('link', { name: 'Ward 7' })).toBeInTheDocument()
    expect(dialog.getByText(/makes the best of several models seem better/)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Start the test' })).toBeDisabled()
  })
})

const openDialog = (listing = makeListing(), handlers: Parameters<typeof serve>[0] = {}) => {
  signIn()
  const received = serve({
    'shop/methods': () => ({ methods: ['wechat', 'alipay'], isTrial: false }),
    ...handlers,
  })
  const [onOrdered, onBought] = [vi.fn(), vi.fn()]
  renderPart(
    <BuyDialog
      listing={listing}
      Invoice={InvoiceFields}
      onOrdered={onOrdered}
      onBought={onBought}
      onClose={nothing}
    />,
  )
  return { person: userEvent.setup(), received, onOrdered, onBought }
}

describe('buying', () => {
  it('by points asks for the rules, says what is left, and is done at once', async () => {
    const { person, received, onBought } = openDialog(makeListing(), { 'shop/buy': () => ({}) })
    expect(await screen.findByText('By points: you have 150, 50 are left')).toBeInTheDocument()
    await person.click(screen.getByRole('button', { name: 'Buy' }))
    expect(screen.getByText('Please tick the rules first.')).toBeInTheDocument()
    await person.click(screen.getByRole('checkbox'))
    await person.click(screen.getByRole('button', { name: 'Buy' }))
    await waitFor(() => expect(onBought).toHaveBeenCalled())
    expect(received.at(-1)?.body).toEqual({ id: 'model-1', priceYuan: 100, acceptRules: 1, by: 'points' })
  })

  it('by money gives an order to pay; a refusal is read in the dialog', async () => {
    let isFirst = true
    const { person, onOrdered } = openDialog(makeListing({ mine: { points: 3 } }), {
      'shop/buy': () => {
        if (isFirst) {
          isFirst = false
          throw new Refusal('rate_limited')
        }
        return { orderNo: sale.orderNo, qrCodeUrl: 'weixin://x', expiresAt: '2027-01-01T09:30:00.000Z' }
      },
    })
    expect(await screen.findByText('By points: you have 3, too few')).toBeInTheDocument()
    await person.click(await screen.findByRole('radio', { name: 'WeChat Pay' }))
    await person.click(screen.getByRole('checkbox'))
    await person.click(screen.getByRole('button', { name: 'Buy' }))
    expect(await screen.findByRole('alert')).toBeInTheDocument()
    await person.click(await screen.findByRole('button', { name: /Buy$/ }))
    await waitFor(() =>
      expect(onOrdered).toHaveBeenCalledWith(
        expect.objectContaining({ orderNo: sale.orderNo, method: 'wechat', amountFen: 10_000 }),
      ),
    )
  })
})

describe('an invoice', () => {
  it('is offered for money alone; each field that is missing says so, and nothing is bought', async () => {
    const bought = vi.fn(() => ({ orderNo: sale.orderNo, qrCodeUrl: 'x', expiresAt: sale.refundUntil }))
    const { person, received, onOrdered } = openDialog(makeListing(), { 'shop/buy': bought })
    expect(await screen.findByText('By points: you have 150, 50 are left')).toBeInTheDocument()
    expect(screen.queryByText('Invoice')).toBeNull()
    await person.click(await screen.findByRole('radio', { name: 'Alipay' }))
    await person.click(screen.getByRole('radio', { name: 'Organisation' }))
    await person.click(screen.getByRole('checkbox'))
    await person.click(screen.getByRole('button', { name: 'Buy' }))
    const problems = screen.getAllByRole('alert').map(({ textContent }) => textContent)
    expect(problems).toEqual([
      ...['Fill in the title.', 'Fill in the taxpayer number.', 'Fill in the address.'],
      ...['Fill in the phone number.', 'Fill in the bank.', 'Fill in the account number.'],
    ])
    expect(bought).not.toHaveBeenCalled()
    await person.click(screen.getByRole('radio', { name: 'Person' }))
    await person.type(screen.getByRole('textbox', { name: 'Title' }), 'Account Holder')
    await person.click(screen.getByRole('button', { name: 'Buy' }))
    await waitFor(() => expect(onOrdered).toHaveBeenCalled())
    expect(received.at(-1)?.body).toMatchObject({
      ...{ by: 'money', payMethod: 1, invoice: 1, invoiceType: 0, invoiceTitle: 'Account Holder' },
    })
  })
})

describe('the own shop', () => {
  const open = (listings = [makeOwnListing()], address = '/userCenter?tab=shop') => {
    signIn()
    const received = serve({
      'setting/public': setting,
      'shop/mine': () => ({ listings, limit: 8, used: 1 }),
      'shop/sales': () => ({ sales: [], total: 0, pageSize: 24 }),
      'shop/candidates': () => ({ candidates: [] }),
      'shop/show': () => makeListing({ state: 'hidden' }),
    })
    renderPart(<OwnShop />, address)
    return { person: userEvent.setup(), received }
  }

  it('says how each model stands, why it was refused, and what it brought', async () => {
    open([
      makeOwnListing(),
      makeOwnListing({ id: 'b', name: 'Lungs', version: 0, state: 'refused', refusal: 'score_differs' }),
    ])
    const [first, second] = await screen.findAllByRole('article')
    if (!first || !second) throw new Error('two listings were expected')
    expect(within(first).getByText('2 sales, your share CN¥194')).toBeVisible()
    expect(within(second).getByText(/measured other figures than your test had/)).toBeVisible()
    expect(within(second).getByRole('button', { name: 'Offer again' })).toBeVisible()
    expect(within(second).queryByRole('button', { name: 'Take out of the shop' })).toBeNull()
  })

  it('takes a model out', async () => {
    const { person, received } = open()
    await person.click(await screen.findByRole('button', { name: 'Take out of the shop' }))
    await waitFor(() => expect(received.map(({ path }) => path)).toContain('shop/show'))
    expect(received.find(({ path }) => path === 'shop/show')?.body).toEqual({ id: 'model-1', isShown: false })
  })

  it('opens a new listing from the address of a test, and names all that is missing', async () => {
    const { person, received } = open([], '/userCenter?tab=shop&test=test-1')
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('No test yet')).toBeInTheDocument()
    await person.click(dialog.getByRole('button', { name: 'Have it measured and listed' }))
    expect(dialog.getAllByRole('alert').length).toBeGreaterThanOrEqual(11)
    expect(dialog.getByText('Please choose the organ.')).toBeInTheDocument()
    expect(received.map(({ path }) => path)).not.toContain('shop/offer')
  })
})
