import type { Answer } from '@neuroloom/contract/calls'
import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { PrivateCustomisation } from '../../src/pages/user-center/custom.tsx'
import { UserCenter } from '../../src/pages/user-center.tsx'
import { makeSetting, makeUser, signIn } from '../make.ts'
import { fill } from '../office/make-orders.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeTask } from './make-tasks.ts'

type Prices = Answer<'customTask/prices'>
type Shown = { tasks?: CustomTask[]; prices?: Partial<Prices>; handlers?: Parameters<typeof serve>[0] }

function open({ tasks = [], prices = {}, handlers = {} }: Shown = {}) {
  signIn(makeUser({ vipLevel: 4 }))
  const received = serve({
    'customTask/prices': () => ({
      prices: [
        { kind: 'customisation', priceFen: null },
        { kind: 'tuning', priceFen: 200_000 },
      ],
      ...{ methods: ['alipay', 'wechat'], isTrial: false, mayUse: true, mayOrder: true, ...prices },
    }),
    'customTask/list': () => ({ tasks, total: tasks.length, pageSize: 20 }),
    'setting/public': () => makeSetting(),
    'projects/list': () => ({ projects: [], next: null, own: 0, limit: null, covers: {} }),
    ...handlers,
  })
  renderPart(<PrivateCustomisation />)
  const sent = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { person: userEvent.setup(), sent }
}
const card = async (name = 'Nuclei in cytology') => within(await screen.findByRole('article', { name }))

describe('private customisation', () => {
  it('tells what each kind costs, and asks for a task', async () => {
    const { person, sent } = open({ handlers: { 'customTask/create': () => makeTask() } })
    expect((await screen.findByText('Parameter tuning')).nextElementSibling).toHaveTextContent('CN¥2,000')
    expect(await screen.findByText('No requests yet')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'New request …' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/The price is set by the review/)).toBeInTheDocument()
    const send = dialog.getByRole('button', { name: 'Send the request' })
    await person.click(send)
    expect(dialog.getByText('Give the request a title.')).toBeInTheDocument()
    expect(sent('customTask/create')).toEqual([])
    await person.click(dialog.getByRole('radio', { name: 'Parameter tuning' }))
    expect(dialog.getByText(/It costs CN¥2,000/)).toBeInTheDocument()
    await fill(person, dialog.getByRole('textbox', { name: 'Title' }), ' Faster ')
    await fill(person, dialog.getByRole('textbox', { name: 'Description' }), 'Halve the epochs.')
    await person.click(send)
    await waitFor(() =>
      expect(sent('customTask/create')).toEqual([
        {
          ...{ kind: 'tuning', title: 'Faster', task: 'classification', description: 'Halve the epochs.' },
          ...{ source: null, requestId: expect.stringMatching(/^[0-9a-f]{32}$/) },
        },
      ]),
    )
  })

  it('is seen by bronze members, who are shown the way to an order', async () => {
    open({ prices: { mayOrder: false } })
    expect(await screen.findByText('Gold members and above can order.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'New request …' })).toBeDisabled()
  })

  it('below bronze shows the way to it alone', async () => {
    open({ prices: { mayOrder: false, mayUse: false } })
    expect(await screen.findByText(/included from bronze membership on/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'New request …' })).toBeNull()
  })

  it('shows number, publish time, status, progress and the working hours that are left', async () => {
    const dueAt = '2999-01-04T09:00:00.000Z'
    open({ tasks: [makeTask({ state: 'processing', progress: 40, approvedAt: dueAt, dueAt })] })
    const shown = await card()
    expect(shown.getByText('In data processing')).toBeVisible()
    expect(shown.getByText('task-1')).toBeVisible()
    expect(shown.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '40')
    expect(shown.getByText(/working hours left/)).toBeVisible()
    expect(shown.queryByRole('button', { name: 'Give up …' })).toBeNull()
  })

  it('shows everything that became of a request', async () => {
    const at = '2027-01-04T09:00:00.000Z'
    const { person } = open({
      tasks: [makeTask({ state: 'processing', progress: 40 })],
      handlers: {
        'customTask/detail': () => ({
          ...makeTask(),
          steps: [
            { state: 'pending_review', progress: 0, note: '', at },
            { state: 'processing', progress: 40, note: 'Data prepared.', at },
          ],
        }),
      },
    })
    await person.click((await card()).getByRole('button', { name: 'History' }))
    const list = within(await screen.findByRole('list', { name: 'History' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Pending review'),
      expect.stringContaining('In data processing: 40 %Data prepared.'),
    ])
  })

  it('hands a rejected request in again, with what was written', async () => {
    const task = makeTask({ state: 'rejected', reason: 'Say which data.' })
    const { person, sent } = open({ tasks: [task], handlers: { 'customTask/resubmit': () => task } })
    const shown = await card()
    expect(shown.getByText('Say which data.')).toBeVisible()
    await person.click(shown.getByRole('button', { name: 'Hand in again …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Hand in again' }))
    await waitFor(() =>
      expect(sent('customTask/resubmit')).toEqual([
        {
          ...{ id: 'task-1', title: 'Nuclei in cytology', task: 'segmentation', source: null },
          description: 'Outline every nucleus.',
        },
      ]),
    )
  })

  it('pays a price that the review set', async () => {
    const task = makeTask({ state: 'unpaid', priceFen: 800_000, isReviewed: true })
    const { person, sent } = open({
      tasks: [task],
      handlers: {
        'customTask/pay': () => {
          throw new Refusal('price_changed')
        },
      },
    })
    await person.click((await card()).getByRole('button', { name: 'Pay …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(await dialog.findByRole('radio', { name: 'WeChat Pay' }))
    await person.click(dialog.getByRole('button', { name: 'Pay CN¥8,000' }))
    expect(await dialog.findByRole('alert')).toBeVisible()
    expect(sent('customTask/pay')).toMatchObject([
      { id: 'task-1', payMethod: 0, priceFen: 800_000, invoice: 0 },
    ])
  })

  it('gives a request up', async () => {
    const task = makeTask({ state: 'unpaid', priceFen: 5 })
    const { person, sent } = open({ tasks: [task], handlers: { 'customTask/remove': () => ({}) } })
    await person.click((await card()).getByRole('button', { name: 'Give up …' }))
    await person.click(await screen.findByRole('button', { name: 'Give up' }))
    await waitFor(() => expect(sent('customTask/remove')).toEqual([{ id: 'task-1' }]))
  })
})

it('a hospital’s own server has no private customisation', async () => {
  signIn()
  serve({
    'setting/public': () => makeSetting({ host: -1 }),
    'user/info': () => makeUser(),
  })
  renderPart(<UserCenter />)
  await screen.findByRole('link', { name: 'History' })
  expect(screen.queryByRole('link', { name: 'Private customisation' })).toBeNull()
})
