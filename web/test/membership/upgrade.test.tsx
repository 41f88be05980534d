import type { Answer, Body } from '@neuroloom/contract/calls'
import type { Offer } from '@neuroloom/contract/membership/vip'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { UserCenter } from '../../src/pages/user-center.tsx'
import { makeSetting, makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

const offerOf = (id: 1 | 2 | 3 | 4, changes: Partial<Offer> = {}): Offer => ({
  ...{ id, level: id, price: 0, priceFen: [0, 500_000, 1_000_000, 2_000_000][id - 1] ?? 0, number: 1 },
  ...{ notes: { en: '', zh: '', ru: '' }, kind: id === 1 ? 'held' : 'new', creditFen: 0 },
  ...{ payFen: [0, 500_000, 1_000_000, 2_000_000][id - 1] ?? 0, extraDays: 0 },
  ...{ from: '2026-11-27T10:00:00.000Z', until: '2027-11-27T10:00:00.000Z' },
  ...changes,
})
type Offers = Answer<'vip/offers'>
const makeOffers = (changes: Partial<Offers> = {}): Offers => ({
  offers: [offerOf(1), offerOf(2), offerOf(3), offerOf(4)],
  methods: ['wechat', 'alipay', 'transfer'],
  bank: { holder: 'Operator', bank: 'Bank of the City', account: '6222 0000' },
  ...{ isTrial: true, needsName: false, needsForm: false },
  ...changes,
})

const orderNo = '20261127000000000001'
const ordered = { orderNo, qrCodeUrl: '/dev/cashier?id=1', expiresAt: '2036-11-27T10:30:00.000Z' }

type Options = {
  offers?: Partial<Offers>
  pay?: (body: Body<'vip/pay'>) => Answer<'vip/pay'>
  state?: () => 0 | 1 | 2 | 3
  host?: number
}

async function open({ offers = {}, pay = () => ordered, state = () => 0, host = 0 }: Options = {}) {
  const received = serve({
    'setting/public': () => makeSetting({ host }),
    'user/info': () => makeUser({ vipLevel: 3, type: 1 }),
    'vip/offers': () => makeOffers(offers),
    'vip/pay': pay,
    'payment/alipay/payState': state,
    'payment/wechat/payState': state,
  })
  signIn({ vipLevel: 1, type: 1 })
  const page = renderPart(<UserCenter />, '/userCenter?tab=upgrade')
  const sent = () => received.filter(({ path }) => path === 'vip/pay').map(({ body }) => body)
  return { ...page, received, sent, person: userEvent.setup() }
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Membership upgrade' }))
const agree = async (person: ReturnType<typeof userEvent.setup>) =>
  person.click(await (await dialog()).findByRole('checkbox'))
const press = async (person: ReturnType<typeof userEvent.setup>, name: RegExp | string) =>
  person.click(await (await dialog()).findByRole('button', { name }))

describe('the upgrade dialog', () => {
  it('shows the plans, orders one, shows its code, and closes once it is paid', async () => {
    let state: 0 | 1 = 0
    const { person, sent, router } = await open({ state: () => state })
    const box = await dialog()
    expect(await box.findAllByRole('radio', { name: /member/ })).toHaveLength(4)
    expect(await box.findByRole('radio', { name: /Bronze/ })).toBeChecked()
    await person.click(box.getByRole('radio', { name: /Silver/ }))
    await person.click(box.getByRole('radio', { name: 'Alipay' }))
    await agree(person)
    await press(person, 'Pay CN¥10,000')
    const code = await screen.findByRole('img', { name: 'QR code to pay CN¥10,000' })
    expect([code.getAttribute('width'), code.getAttribute('height')]).toEqual(['150', '150'])
    expect(sent()).toEqual([
      expect.objectContaining({ vipId: 3, payMethod: 1, payFen: 1_000_000, invoice: 0 }),
    ])
    expect(screen.getByRole('link', { name: 'Open the test cashier' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^http.*\/dev\/cashier\?id=1$/),
    )
    state = 1
    expect(await screen.findByText('Your membership is valid. Thank you.')).toBeInTheDocument()
    await waitFor(() => expect(router.state.location.search).toBe('?tab=membership'))
  })

  it.each([
    [{ needsName: true }, 'Please complete your member information first: your name is missing.'],
    [{ offers: [offerOf(2, { kind: 'lower' })] }, 'Your current level is higher than the selected one.'],
    [
      { offers: [offerOf(4, { kind: 'endless' })] },
      'You have this level for ever; there is nothing to renew.',
    ],
    [{ offers: [offerOf(4, { kind: 'super' })] }, /You are a super member/],
    [{ offers: [offerOf(1, { kind: 'free' })], needsForm: true }, /The free plan is the full member form/],
    [{ offers: [offerOf(1)] }, 'You are an ordinary member already.'],
    [{}, 'Please tick the user agreement first.'],
  ])('says what stands in the way: %o', async (offers, text) => {
    const { person, sent } = await open({ offers })
    await press(person, /^(Pay|Get|Become)/)
    expect(await (await dialog()).findByText(text)).toBeInTheDocument()
    expect(sent()).toEqual([])
  })

  it('leads to the member information where the name is missing', async () => {
    const { person, router } = await open({ offers: { needsName: true } })
    await press(person, /^Pay/)
    await person.click(await (await dialog()).findByRole('link', { name: 'Go to member information' }))
    expect(router.state.location.search).toBe('?tab=member')
  })

  it('asks before a renewal', async () => {
    const { person, sent } = await open({ offers: { offers: [offerOf(4, { kind: 'renewal' })] } })
    await agree(person)
    await press(person, 'Pay CN¥20,000')
    expect(sent()).toEqual([])
    expect(await screen.findByText('Renew Gold member by 1 year?')).toBeInTheDocument()
    await person.click(screen.getByRole('button', { name: 'Renew' }))
    await waitFor(() => expect(sent()).toHaveLength(1))
  })

  it('sells nothing by offers from before the last purchase', async () => {
    let tell = () => {}
    const told = new Promise<void>((resolve) => (tell = resolve))
    let isPaid = false
    const plans = (kind: Offer['kind']) => makeOffers({ offers: [offerOf(3, { kind })] })
    const received = serve({
      'setting/public': () => makeSetting({ host: 0 }),
      'user/info': () => makeUser({ vipLevel: isPaid ? 3 : 1, type: 1 }),
      'vip/offers': async () => {
        if (!isPaid) return plans('new')
        await told
        return plans('renewal')
      },
      'vip/pay': () => ordered,
      'payment/wechat/payState': () => {
        isPaid = true
        return 1
      },
    })
    const sent = () => received.filter(({ path }) => path === 'vip/pay').length
    signIn({ vipLevel: 1, type: 1 })
    renderPart(<UserCenter />, '/userCenter?tab=upgrade')
    const person = userEvent.setup()
    await agree(person)
    await press(person, 'Pay CN¥10,000')
    await person.click(await screen.findByRole('button', { name: 'Upgrade' }))
    await agree(person)
    await person.click(await (await dialog()).findByRole('button', { name: /Pay CN¥10,000$/ }))
    expect(sent()).toBe(1)
    tell()
    // Its mark of being busy moves away.
    await waitFor(async () => {
      await press(person, /Pay CN¥10,000$/)
      expect(screen.getByText('Renew Silver member by 1 year?')).toBeInTheDocument()
    })
    expect(sent()).toBe(1)
  })

  it('shows what is taken off, and days on top', async () => {
    const offer = offerOf(3, { kind: 'upgrade', creditFen: 361_643, payFen: 638_357 })
    await open({ offers: { offers: [offer] } })
    const box = await dialog()
    expect(await box.findByText('-CN¥3,616.43')).toBeInTheDocument()
    expect(box.getByRole('button', { name: 'Pay CN¥6,383.57' })).toBeInTheDocument()
  })

  it('each missing field of an invoice has its own message', async () => {
    const { person, sent } = await open()
    const box = await dialog()
    await person.click(await box.findByRole('radio', { name: 'Organisation' }))
    await agree(person)
    await press(person, /^Pay/)
    const problems = await box.findAllByRole('alert')
    expect(problems.map((one) => one.textContent)).toEqual(
      expect.arrayContaining([
        'Fill in the title.',
        'Fill in the taxpayer number.',
        'Fill in the address.',
        'Fill in the phone number.',
        'Fill in the bank.',
        'Fill in the account number.',
      ]),
    )
    expect(sent()).toEqual([])
    await person.click(box.getByRole('radio', { name: 'Person' }))
    expect(box.queryByRole('textbox', { name: 'Bank' })).toBeNull()
    await person.type(box.getByRole('textbox', { name: 'Title' }), 'Buyer')
    await press(person, /^Pay/)
    await waitFor(() =>
      expect(sent()).toEqual([
        expect.objectContaining({ invoice: 1, invoiceType: 0, invoiceTitle: 'Buyer' }),
      ]),
    )
  })

  it('a price that changed meanwhile is told, and the new one shown', async () => {
    let calls = 0
    const { person, received } = await open({
      pay: () => {
        calls += 1
        throw new Refusal('price_changed')
      },
    })
    await agree(person)
    await press(person, /^Pay/)
    expect(await (await dialog()).findByText(/The amount has changed/)).toBeInTheDocument()
    await waitFor(() =>
      expect(received.filter(({ path }) => path === 'vip/offers').length).toBeGreaterThan(1),
    )
    expect(calls).toBe(1)
  })

  it('an order that is over says so, and is ordered anew', async () => {
    const { person } = await open({ state: () => 2 })
    await agree(person)
    await press(person, /^Pay/)
    expect(await screen.findByText(/This order is over/)).toBeInTheDocument()
    await person.click(screen.getByRole('button', { name: 'Order again' }))
    expect(await (await dialog()).findAllByRole('radio', { name: /member/ })).toHaveLength(4)
  })

  it('a bank transfer shows where to, and its reference', async () => {
    const { person, received } = await open({ pay: () => ({ ...ordered, qrCodeUrl: '' }) })
    await person.click(await (await dialog()).findByRole('radio', { name: 'Bank transfer' }))
    await agree(person)
    await press(person, /^Pay/)
    expect(await screen.findByText('6222 0000')).toBeInTheDocument()
    expect(screen.getAllByText(new RegExp(orderNo)).length).toBeGreaterThan(1)
    expect(received.some(({ path }) => path.endsWith('payState'))).toBe(false)
  })

  it('where nobody set up payment, it says whom to ask', async () => {
    await open({ offers: { methods: [], bank: null, isTrial: false } })
    const box = await dialog()
    expect(await box.findByText(/Payment is not set up on this server/)).toBeInTheDocument()
    expect(box.getByRole('button', { name: /^Pay/ })).toBeDisabled()
  })

  it('on a hospital’s own server there is none of it', async () => {
    await open({ host: -1 })
    expect(await screen.findByRole('heading', { name: 'Member information' })).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Membership upgrade' })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
