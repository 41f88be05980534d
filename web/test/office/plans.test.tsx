import type { Answer } from '@neuroloom/contract/calls'
import type { Plan } from '@neuroloom/contract/membership/vip'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { setLanguage } from '../../src/lib/i18n.ts'
import { fill, openOffice } from './make-orders.ts'

const plan = (id: Plan['id'], priceFen: number): Plan => ({
  id,
  level: id,
  price: priceFen / 100,
  priceFen,
  number: id === 4 ? 0 : 1,
  notes: { en: id === 2 ? 'For a small group' : '', zh: '', ru: '' },
})

/** The plans' part, where a saved plan is shown from then on. */
function openPlans(methods: Answer<'office/plans'>['methods'] = ['wechat', 'transfer']) {
  let plans = [plan(1, 0), plan(2, 500_000), plan(3, 1_000_050), plan(4, 2_000_000)]
  return openOffice('plans', {
    'office/plans': () => ({ plans, methods }),
    'office/savePlan': ({ id, ...rest }) => {
      const saved = { ...plan(id, rest.priceFen), ...rest }
      plans = plans.map((one) => (one.id === id ? saved : one))
      return saved
    },
  })
}

describe('the plans', () => {
  it('tell what each costs, for how long, and how it can be paid', async () => {
    openPlans()
    const bronze = within(await screen.findByRole('article', { name: 'Bronze member' }))
    expect(bronze.getByText('CN¥5,000')).toBeVisible()
    expect(bronze.getByText('for 1 year')).toBeVisible()
    expect(bronze.getByText('For a small group')).toBeVisible()
    expect(within(screen.getByRole('article', { name: 'Ordinary member' })).getByText('Free')).toBeVisible()
    expect(
      within(screen.getByRole('article', { name: 'Silver member' })).getByText('CN¥10,000.50'),
    ).toBeVisible()
    expect(within(screen.getByRole('article', { name: 'Gold member' })).getByText('for ever')).toBeVisible()
    expect(screen.getByText('Members can pay here by: WeChat Pay and Bank transfer.')).toBeVisible()
  })

  it('say what to do where nobody can pay', async () => {
    openPlans([])
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Nobody can pay here yet')
    expect(alert).toHaveTextContent('docs/operating.md')
  })

  it('take a price to the fen, years and texts, and refuse what is no price', async () => {
    const { person, sent } = openPlans()
    await person.click(await screen.findByRole('button', { name: 'Edit Bronze member' }))
    const dialog = within(await screen.findByRole('dialog'))
    const price = dialog.getByRole('textbox', { name: 'Price' })
    const save = dialog.getByRole('button', { name: 'Save' })
    expect(price).toHaveValue('5000.00')
    for (const wrong of ['1e3', '-5', '5.005', '5,00', '']) {
      await fill(person, price, wrong)
      expect(save).toBeDisabled()
    }
    await fill(person, price, '5.005')
    expect(price).toHaveAccessibleDescription(/^This is no amount in yuan/)
    await fill(person, price, '０')
    expect(price).toHaveAccessibleDescription(/without paying/)
    await fill(person, price, '5,999.9')
    await fill(person, dialog.getByRole('spinbutton', { name: 'Years' }), '2')
    await fill(person, dialog.getByRole('textbox', { name: 'Note in 中文' }), '适合小团队')
    expect(dialog.getByText(/^Orders that wait/)).toBeInTheDocument()
    await person.click(save)
    await waitFor(() =>
      expect(sent('office/savePlan')).toEqual([
        { id: 2, priceFen: 599_990, number: 2, notes: { en: 'For a small group', zh: '适合小团队', ru: '' } },
      ]),
    )
    const bronze = await screen.findByRole('article', { name: 'Bronze member' })
    await waitFor(() => expect(bronze).toHaveTextContent('CN¥5,999.90'))
    expect(bronze).toHaveTextContent('for 2 years')
  })

  it('leave the plan of an ordinary member free', async () => {
    const { person, sent } = openPlans()
    await person.click(await screen.findByRole('button', { name: 'Edit Ordinary member' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.queryByRole('textbox', { name: 'Price' })).toBeNull()
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent('office/savePlan')[0]).toMatchObject({ id: 1, priceFen: 0, number: 1 }))
  })

  it('speak Chinese and Russian', async () => {
    await setLanguage('zh')
    openPlans()
    expect(await screen.findByText('会员可使用的支付方式：微信支付和银行转账。')).toBeVisible()
    expect(screen.getByText('¥5,000')).toBeVisible()
    await setLanguage('ru')
    expect(
      await screen.findByText('Здесь можно заплатить так: WeChat Pay и Банковский перевод.'),
    ).toBeVisible()
    expect(screen.getAllByText('на 1 год')[0]).toBeVisible()
  })
})
