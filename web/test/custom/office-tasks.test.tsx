import type { OfficeTask } from '@neuroloom/contract/custom/task-calls'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { AssignedTasks } from '../../src/pages/assigned-tasks.tsx'
import { makeSetting, makeUser, signIn } from '../make.ts'
import { fill, openOffice } from '../office/make-orders.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeOfficeTask, makeTask } from './make-tasks.ts'

/** The part of custom tasks, where one is listed. */
function openTasks(changes: Partial<OfficeTask> = {}) {
  const task = makeOfficeTask(changes)
  return openOffice('tasks', {
    'customTask/prices': () => ({
      prices: [
        { kind: 'customisation', priceFen: null },
        { kind: 'tuning', priceFen: 200_000 },
      ],
      ...{ methods: [], isTrial: false, mayUse: true, mayOrder: true },
    }),
    'office/customTasks': () => ({ tasks: [task], total: 1, pageSize: 20 }),
    'office/customTask': () => task,
    'office/customPrice': () => ({ prices: [] }),
    'office/customProvider': () => {
      throw new Refusal('provider_missing')
    },
    'customTask/progress': () => task,
    'customTask/complete': () => task,
  })
}
const card = async () => within(await screen.findByRole('article', { name: 'Nuclei in cytology' }))
const dialogOf = async () => within(await screen.findByRole('dialog'))

describe('custom tasks in the back-office', () => {
  it('that wait come first; one without a fixed price is approved at a price', async () => {
    const { person, sent } = openTasks()
    const shown = await card()
    expect(shown.getByText('Li (holder@hospital.example)')).toBeVisible()
    expect(sent('office/customTasks')[0]).toEqual({ state: 'pending_review', kind: null, page: 1 })
    await person.click(shown.getByRole('button', { name: 'Approve …' }))
    const dialog = await dialogOf()
    expect(dialog.getByRole('button', { name: 'Approve' })).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Price' }), '8000')
    await person.click(dialog.getByRole('button', { name: 'Approve at CN¥8,000' }))
    await waitFor(() =>
      expect(sent('office/customTask')).toEqual([
        { id: 'task-1', decision: { is: 'approved', priceFen: 800_000 } },
      ]),
    )
  })

  it('a paid one is approved as it is', async () => {
    const { person, sent } = openTasks({ priceFen: 200_000, isPaid: true })
    await person.click((await card()).getByRole('button', { name: 'Approve …' }))
    await person.click((await dialogOf()).getByRole('button', { name: 'Approve' }))
    await waitFor(() =>
      expect(sent('office/customTask')).toEqual([
        { id: 'task-1', decision: { is: 'approved', priceFen: null } },
      ]),
    )
  })

  it('is not passed for a reason', async () => {
    const { person, sent } = openTasks({ priceFen: 200_000, isPaid: true })
    await person.click((await card()).getByRole('button', { name: 'Do not pass …' }))
    const dialog = await dialogOf()
    expect(dialog.getByText(/All that was paid goes back/)).toBeInTheDocument()
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'Say which data.')
    await person.click(dialog.getByRole('button', { name: 'Do not pass' }))
    await waitFor(() =>
      expect(sent('office/customTask')).toEqual([
        { id: 'task-1', decision: { is: 'rejected', reason: 'Say which data.' } },
      ]),
    )
  })

  it('an own one is nobody’s own to decide', async () => {
    openTasks({ isOwn: true })
    const shown = await card()
    expect(shown.getByText(/another administrator decides/)).toBeVisible()
    expect(shown.queryByRole('button')).toBeNull()
  })

  it('in work has progress, its end and a provider', async () => {
    const { person, sent } = openTasks({ state: 'processing', progress: 40 })
    const shown = await card()
    await person.click(shown.getByRole('button', { name: 'Report progress …' }))
    const number = (await dialogOf()).getByRole('spinbutton', { name: 'Progress' })
    await person.clear(number)
    await person.type(number, '75')
    await person.click((await dialogOf()).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent('customTask/progress')).toEqual([{ id: 'task-1', progress: 75, note: '' }]),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(shown.getByRole('button', { name: 'Assign …' }))
    const dialog = await dialogOf()
    await fill(person, dialog.getByRole('textbox', { name: /Account/ }), 'provider@example.test')
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('This service provider is not there.')
    expect(sent('office/customProvider')).toEqual([{ id: 'task-1', account: 'provider@example.test' }])
  })

  it('a price is fixed, or left to the review', async () => {
    const { person, sent } = openTasks()
    await person.click(await screen.findByRole('button', { name: 'Change the price: Parameter tuning' }))
    const dialog = await dialogOf()
    await person.clear(dialog.getByRole('textbox', { name: 'Price' }))
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent('office/customPrice')).toEqual([{ kind: 'tuning', priceFen: null }]))
  })
})

it('a provider sees the tasks that were assigned, and reports on them', async () => {
  signIn(makeUser({ role: 1 }))
  serve({
    'setting/public': () => makeSetting(),
    'customTask/assigned': () => ({
      tasks: [{ ...makeTask({ state: 'approved' }), member: { nickName: 'Li' } }],
      ...{ total: 1, pageSize: 20 },
    }),
    'customTask/complete': () => makeTask(),
  })
  renderPart(<AssignedTasks />)
  const person = userEvent.setup()
  const shown = await card()
  expect(shown.getByText('Li')).toBeVisible()
  await person.click(shown.getByRole('button', { name: 'Completed …' }))
  await person.click((await dialogOf()).getByRole('button', { name: 'It is completed' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
