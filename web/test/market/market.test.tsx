import { roles } from '@neuroloom/contract/accounts/roles'
import type { Demand } from '@neuroloom/contract/market/demand'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ModuleSelector } from '../../src/app/module-selector.tsx'
import { DemandForm } from '../../src/features/market/demand-form.tsx'
import { DemandList } from '../../src/features/market/demand-list.tsx'
import { DemandView } from '../../src/features/market/demand-view.tsx'
import type { FilePicker } from '../../src/features/market/file-field.tsx'
import { OrderDialog } from '../../src/features/market/order-dialog.tsx'
import { InvoiceFields } from '../../src/features/membership/upgrade-invoice.tsx'
import { Demands } from '../../src/features/office/demands.tsx'
import { makeSetting, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeDelivery, makeDemand, makeDemandCard, makeOffer, makeWork } from './make-demand.ts'

const nothing = () => undefined
/** One file at once, as if it had been ticked. */
const Picker: FilePicker = ({ onPick }) => (
  <button type="button" onClick={() => onPick([{ id: 'file-1', name: 'masks.zip' }])}>
    pick
  </button>
)

function show(
  demand: Demand,
  { role = roles.member, handlers = {} }: { role?: number; handlers?: Parameters<typeof serve>[0] } = {},
) {
  signIn({ role })
  const received = serve(handlers)
  renderPart(<DemandView demand={demand} Picker={Picker} onOrder={nothing} />)
  return { person: userEvent.setup(), received }
}

describe('the module of orders', () => {
  it.each([
    ['service providers', roles.provider, 0, true],
    ['members', roles.member, 0, false],
    ['providers of a hospital’s own server', roles.provider, -1, false],
  ] as const)('is for %s: %s', async (_who, role, host, isThere) => {
    signIn({ role })
    serve({ 'setting/public': () => makeSetting({ host }) })
    renderPart(<ModuleSelector pathname="/projectHome" />)
    await screen.findByRole('link', { name: 'Project' })
    if (isThere)
      expect(await screen.findByRole('link', { name: 'Order' })).toHaveAttribute('href', '/orderHome')
    else expect(screen.queryByRole('link', { name: 'Order' })).toBeNull()
  })
})

describe('the list of demands', () => {
  it('shows what is wanted, by when, for about how much, and filters by task', async () => {
    signIn()
    const received = serve({
      'demand/list': () => ({ demands: [makeDemandCard({ hasOffered: true })], total: 1, pageSize: 20 }),
    })
    renderPart(<DemandList which="open" />)
    const shown = within(await screen.findByRole('article'))
    expect(shown.getByRole('link', { name: 'Outline nuclei' })).toHaveAttribute(
      'href',
      '/demandDetail?id=demand-1',
    )
    for (const text of ['CN¥2,000', 'Segmentation', 'Open', '1 offer', 'Offer made', 'Pathology'])
      expect(shown.getByText(text)).toBeVisible()
    expect(received[0]?.body).toMatchObject({ list: 'open', task: null, page: 1 })
  })

  it('says how to begin where there is none', async () => {
    signIn()
    serve({ 'demand/list': () => ({ demands: [], total: 0, pageSize: 20 }) })
    renderPart(<DemandList which="own" action={<a href="/postDemand">Post a demand</a>} />)
    expect(await screen.findByText('No demand of yours yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Post a demand' })).toBeVisible()
  })
})

describe('posting a demand', () => {
  it('asks for all that providers need, and sends the amount to the fen', async () => {
    signIn()
    const received = serve({ 'demand/post': () => makeDemand() })
    renderPart(<DemandForm demand={null} Picker={Picker} FolderPicker={Picker} onSaved={nothing} />)
    const person = userEvent.setup()
    const post = await screen.findByRole('button', { name: 'Post the demand' })
    expect(post).toBeDisabled()
    await person.type(screen.getByLabelText('Title'), 'Outline nuclei')
    await person.type(screen.getByLabelText('Description'), 'Whole outlines.')
    await person.type(screen.getByLabelText('Budget'), '0.50')
    expect(screen.getByText(/enter an amount from/)).toBeVisible()
    await person.clear(screen.getByLabelText('Budget'))
    await person.type(screen.getByLabelText('Budget'), '1,500.05')
    await person.type(screen.getByLabelText('Deadline'), '2020-01-01')
    expect(screen.getByText('This day has passed.')).toBeVisible()
    await person.clear(screen.getByLabelText('Deadline'))
    await person.type(screen.getByLabelText('Deadline'), '2099-01-01')
    await person.click(screen.getByRole('button', { name: 'Choose from the cloud …' }))
    await person.click(screen.getByRole('button', { name: 'pick' }))
    await person.click(post)
    await waitFor(() => expect(received.at(-1)?.path).toBe('demand/post'))
    expect(received.at(-1)?.body).toEqual({
      ...{ title: 'Outline nuclei', task: 'segmentation', description: 'Whole outlines.' },
      ...{ budgetFen: 150_005, deadline: '2099-01-01', fileIds: ['file-1'] },
      ...{ folderIds: [], withPatients: false },
    })
  })
})

describe('a demand', () => {
  it('gets an offer of a provider, in milestones that must add up to its price', async () => {
    const { person, received } = show(makeDemand({ may: ['offer'] }), {
      role: roles.provider,
      handlers: { 'offer/save': () => makeDemand() },
    })
    await person.click(await screen.findByRole('button', { name: 'Make an offer' }))
    const dialog = within(await screen.findByRole('dialog'))
    const send = dialog.getByRole('button', { name: 'Send the offer' })
    await person.type(dialog.getByLabelText('Price'), '1000')
    expect(dialog.getByText('You get CN¥970; the platform keeps CN¥30 (3 %).')).toBeVisible()
    await person.type(dialog.getByLabelText('How you would do it'), 'Carefully')
    expect(send).toBeEnabled()
    await person.click(dialog.getByRole('button', { name: 'Add a milestone' }))
    await person.type(dialog.getByLabelText('Milestone 1'), 'Draft')
    await person.type(dialog.getByLabelText('Price of milestone 1'), '400')
    expect(dialog.getByRole('alert')).toHaveTextContent('add up to CN¥400')
    await person.click(dialog.getByRole('button', { name: 'Add a milestone' }))
    await person.type(dialog.getByLabelText('Milestone 2'), 'Final')
    await person.type(dialog.getByLabelText('Price of milestone 2'), '600')
    await person.click(send)
    await waitFor(() => expect(received.at(-1)?.path).toBe('offer/save'))
    expect(received.at(-1)?.body).toEqual({
      ...{ demandId: 'demand-1', priceFen: 100_000, days: 14, text: 'Carefully' },
      milestones: [
        { title: 'Draft', priceFen: 40_000 },
        { title: 'Final', priceFen: 60_000 },
      ],
    })
  })

  it('has no offer button for members who are no provider', async () => {
    show(makeDemand({ may: [] }))
    expect(await screen.findByText('Service providers can make offers.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Make an offer' })).toBeNull()
  })

  it('shows its owner the offers, and says before paying what becomes of the money', async () => {
    const offer = makeOffer()
    show(makeDemand({ isOwn: true, offerList: [offer], may: ['edit', 'withdraw'] }))
    const shown = within(await screen.findByRole('article', { name: 'Label studio' }))
    expect(shown.getByText('CN¥1,500.50')).toBeVisible()
    expect(shown.getByRole('button', { name: 'Order this' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Change the demand' })).toHaveAttribute(
      'href',
      '/postDemand?id=demand-1',
    )
    const received = serve({
      'shop/methods': () => ({ methods: ['alipay', 'wechat'], isTrial: true }),
      'offer/select': () => {
        throw new Refusal('offer_changed')
      },
    })
    renderPart(<OrderDialog offer={offer} Invoice={InvoiceFields} onOrdered={nothing} onClose={nothing} />)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/nothing is paid automatically/)).toBeVisible()
    await userEvent.click(await dialog.findByRole('radio', { name: 'WeChat Pay' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Order and pay CN¥1,500.50' }))
    expect(await dialog.findByText(/changed this offer/)).toBeVisible()
    expect(received.at(-1)?.body).toMatchObject({ offerId: 'offer-1', revision: 1, payMethod: 0 })
  })

  it('is delivered with files of the cloud; where they name patients, the provider’s word is asked for', async () => {
    let isWord = false
    const { person, received } = show(
      makeDemand({ state: 'assigned', may: ['deliver'], work: makeWork({ isProvider: true }) }),
      {
        role: roles.provider,
        handlers: {
          'demand/deliver': ({ withPatients = false }) => {
            isWord = withPatients
            if (!withPatients) throw new Refusal('patients_named', { count: 1, total: 1 })
            return makeDemand()
          },
        },
      },
    )
    await person.click(await screen.findByRole('button', { name: 'Deliver …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.type(dialog.getByLabelText('What you deliver'), 'All masks')
    await person.click(dialog.getByRole('button', { name: 'Choose from the cloud …' }))
    await person.click(dialog.getByRole('button', { name: 'pick' }))
    await person.click(dialog.getByRole('button', { name: 'Deliver' }))
    await person.click(await dialog.findByRole('checkbox', { name: /may name patients/ }))
    // Its sign of being busy leaves by a transition, which nothing ends here.
    await person.click(dialog.getByRole('button', { name: /Deliver$/ }))
    await waitFor(() => expect(isWord).toBe(true))
    expect(received.at(-1)?.body).toMatchObject({ id: 'demand-1', text: 'All masks', fileIds: ['file-1'] })
  })

  it('is accepted part by part, or sent back, or disputed, each with what it means', async () => {
    const milestones = [
      { title: 'Draft', priceFen: 50_050 },
      { title: 'Final', priceFen: 100_000 },
    ]
    const work = makeWork({ offer: makeOffer({ milestones }), deliveries: [makeDelivery()] })
    const { person, received } = show(
      makeDemand({
        isOwn: true,
        state: 'delivered',
        work,
        may: ['send_back', 'accept_part', 'accept', 'dispute'],
      }),
      { handlers: { 'demand/accept': () => makeDemand(), 'demand/dispute': () => makeDemand() } },
    )
    expect(await screen.findByText('Waiting for an answer')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Accept the work' }))
    const dialog = within(await screen.findByRole('dialog'))
    // 500.50 yuan less 3 %, rounded half up: 15.02 yuan.
    expect(dialog.getByText(/CN¥485.48 go to the provider/)).toBeVisible()
    await person.click(dialog.getByRole('button', { name: 'Accept the work' }))
    await waitFor(() => expect(received.at(-1)?.body).toEqual({ id: 'demand-1', deliveryId: 'delivery-1' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(screen.getByRole('button', { name: 'Open a dispute …' }))
    const dispute = within(await screen.findByRole('dialog'))
    await person.type(dispute.getByLabelText('What is not as agreed?'), 'Half is missing')
    await person.click(dispute.getByRole('button', { name: 'Open the dispute' }))
    await waitFor(() => expect(received.at(-1)?.body).toEqual({ id: 'demand-1', reason: 'Half is missing' }))
  })

  it('is rated once it is accepted', async () => {
    const { person, received } = show(
      makeDemand({ isOwn: true, state: 'accepted', work: makeWork({ heldFen: 0 }), may: ['rate'] }),
      { handlers: { 'demand/rate': () => makeDemand() } },
    )
    const send = await screen.findByRole('button', { name: 'Rate' })
    expect(send).toBeDisabled()
    await person.click(screen.getAllByRole('radio')[3] as HTMLElement)
    await person.click(send)
    await waitFor(() => expect(received.at(-1)?.body).toEqual({ id: 'demand-1', stars: 4, text: '' }))
  })
})

describe('a dispute', () => {
  const dispute = { byOwner: true, reason: 'Half is missing', at: '2027-01-06T09:00:00.000Z', decision: null }
  const {
    may: _,
    isOwn: __,
    hasOffered: ___,
    ...demand
  } = makeDemand({
    state: 'disputed',
    work: makeWork({ dispute, heldFen: 100_000 }),
  })
  const office = {
    ...demand,
    ownerAccount: 'a@example.test',
    providerAccount: 'b@example.test',
    isParty: false,
  }

  it('is decided by dividing what is held, never more', async () => {
    signIn({ role: roles.administrator })
    const received = serve({
      'office/demands': () => ({ demands: [office], total: 1, pageSize: 20 }),
      'office/dispute': () => office,
    })
    renderPart(<Demands />)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Decide' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.type(dialog.getByLabelText('For the provider'), '1001')
    expect(dialog.getByText('Only CN¥1,000 are held.')).toBeVisible()
    await person.clear(dialog.getByLabelText('For the provider'))
    await person.type(dialog.getByLabelText('For the provider'), '400')
    expect(dialog.getByText('CN¥600 go back to the customer.')).toBeVisible()
    await person.type(dialog.getByLabelText('Reason'), 'Half is there')
    await person.click(dialog.getByRole('button', { name: 'Decide' }))
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'office/dispute')?.body).toEqual({
        ...{ id: 'demand-1', providerFen: 40_000, reason: 'Half is there' },
      }),
    )
  })

  it('of one’s own is not one’s own to decide', async () => {
    signIn({ role: roles.administrator })
    serve({ 'office/demands': () => ({ demands: [{ ...office, isParty: true }], total: 1, pageSize: 20 }) })
    renderPart(<Demands />)
    expect(await screen.findByText(/another administrator decides/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Decide' })).toBeNull()
  })
})
