import type { Case, Provider } from '@neuroloom/contract/market/provider'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { CaseDialog } from '../../src/features/market/case-dialog.tsx'
import { CaseList } from '../../src/features/market/case-list.tsx'
import { CaseView } from '../../src/features/market/case-view.tsx'
import { DemandForm } from '../../src/features/market/demand-form.tsx'
import { DemandView } from '../../src/features/market/demand-view.tsx'
import type { FilePicker } from '../../src/features/market/file-field.tsx'
import { ProviderList } from '../../src/features/market/provider-list.tsx'
import { ProviderView } from '../../src/features/market/provider-view.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeDemand, makeWork } from './make-demand.ts'

const nothing = () => undefined
const picker =
  (id: string, name: string): FilePicker =>
  ({ onPick }) => (
    <button type="button" onClick={() => onPick([{ id, name }])}>
      pick
    </button>
  )
const Picker = picker('picture-1', 'cells.png')

const card = {
  ...{
    id: 'case-1',
    title: 'Nuclei of 12 tumours',
    task: 'segmentation' as const,
    isOwn: false,
    isPublic: true,
  },
  ...{
    provider: { id: 'provider-1', nickName: 'Label studio' },
    cover: null,
    createdAt: '2027-01-01T09:00:00.000Z',
  },
} as const
const shown: Case = {
  ...{ ...card, text: 'Two readers.', figures: [{ name: 'Dice', value: '0.91' }] },
  pictures: [{ id: 'picture-0', name: 'before.png', sizeBytes: 9, url: '/before' }],
}
const provider: Provider = {
  ...{
    id: 'provider-1',
    nickName: 'Label studio',
    introduction: 'Two pathologists.',
    services: ['Outlining'],
  },
  ...{ regions: ['Asia'], languages: ['English', 'Chinese'], rating: { stars: 4.5, count: 2 }, sales: 3 },
  ...{ isOwn: false, cases: [card] },
}
const noRatings = { 'provider/ratings': () => ({ ratings: [], total: 0, pageSize: 10 }) }

describe('the page of a provider', () => {
  it('tells services, accepted orders, ratings and cases', async () => {
    signIn()
    const said = {
      stars: 5,
      text: 'Careful.',
      by: 'Pathology',
      work: 'Nuclei',
      at: '2027-01-02T09:00:00.000Z',
    }
    serve({ 'provider/ratings': () => ({ ratings: [said], total: 1, pageSize: 10 }) })
    renderPart(<ProviderView provider={provider} />)
    expect(await screen.findByText('Careful.')).toBeVisible()
    for (const text of ['Two pathologists.', 'Outlining', '4.5 of 5, 2 ratings', 'English, Chinese', '3'])
      expect(screen.getByText(text)).toBeVisible()
    expect(screen.getByRole('link', { name: card.title })).toHaveAttribute('href', '/caseDetail?id=case-1')
    expect(screen.queryByRole('button', { name: 'Edit my page' })).toBeNull()
  })

  it('is its own to change, one thing a line', async () => {
    signIn()
    const received = serve({ ...noRatings, 'provider/save': () => provider })
    renderPart(<ProviderView provider={{ ...provider, isOwn: true, cases: [] }} />)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Edit my page' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.type(dialog.getByLabelText('Services'), '{enter}Training{enter}{enter}')
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(received.at(-1)?.path).toBe('provider/save'))
    expect(received.at(-1)?.body).toEqual({
      ...{ introduction: 'Two pathologists.', services: ['Outlining', 'Training'] },
      ...{ regions: ['Asia'], languages: ['English', 'Chinese'] },
    })
  })

  it('stands among those of others', async () => {
    signIn()
    const { isOwn: _, cases: __, ...one } = provider
    serve({ 'provider/list': () => ({ providers: [one], total: 1, pageSize: 20 }) })
    renderPart(<ProviderList />)
    const article = within(await screen.findByRole('article'))
    expect(article.getByText('3 accepted orders')).toBeVisible()
    expect(article.getByRole('link')).toHaveAttribute('href', '/serviceProviderDetail?id=provider-1')
  })
})

describe('a case', () => {
  it('shows its pictures, words and figures, and to its provider the way to change it', async () => {
    signIn()
    const received = serve({ 'case/remove': () => ({}) })
    let isRemoved = false
    renderPart(
      <CaseView
        shown={{ ...shown, isOwn: true }}
        Picker={Picker}
        onRemoved={() => {
          isRemoved = true
        }}
      />,
    )
    const person = userEvent.setup()
    expect(await screen.findByRole('img', { name: 'before.png' })).toHaveAttribute('src', '/before')
    expect(screen.getByText('0.91')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Remove the case' }))
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(isRemoved).toBe(true))
    expect(received.at(-1)?.body).toEqual({ id: 'case-1' })
  })

  it('is made of pictures of the cloud, words and figures, each with its value', async () => {
    signIn()
    const received = serve({
      'case/save': () => {
        throw new Refusal('case_pictures')
      },
    })
    renderPart(<CaseDialog shown={shown} Picker={Picker} onClose={nothing} />)
    const person = userEvent.setup()
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Add a figure' }))
    await person.type(dialog.getByLabelText('Name of figure 2'), 'Readers')
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await person.type(dialog.getByLabelText('Value of figure 2'), '2')
    await person.click(dialog.getByRole('button', { name: 'Choose from the cloud …' }))
    await person.click(dialog.getByRole('button', { name: 'pick' }))
    await person.click(dialog.getByRole('checkbox', { name: 'Everybody who is signed in may see it' }))
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(/must be PNG, JPEG/)).toBeVisible()
    expect(received.at(-1)?.body).toEqual({
      ...{ id: 'case-1', title: card.title, task: 'segmentation', text: 'Two readers.', isPublic: false },
      figures: [...shown.figures, { name: 'Readers', value: '2' }],
      ...{ fileIds: ['picture-1'], keep: ['picture-0'] },
    })
  })

  it('is found by its task and its words', async () => {
    signIn()
    const received = serve({ 'case/list': () => ({ cases: [card], total: 1, pageSize: 20 }) })
    renderPart(<CaseList />)
    expect(await screen.findByRole('link', { name: card.title })).toBeVisible()
    expect(received[0]?.body).toMatchObject({ own: false, task: null, page: 1 })
  })
})

describe('data of a demand', () => {
  const data = [{ id: 'folder-1', name: 'Scans' }]

  it('are chosen as own folders, with the own word where patients are named', async () => {
    signIn()
    const received = serve({
      'demand/edit': ({ withPatients = false }) => {
        if (!withPatients) throw new Refusal('patients_named', { count: 1, total: 1 })
        return makeDemand()
      },
    })
    renderPart(
      <DemandForm
        demand={makeDemand({ folders: 1, data, deadline: '2099-01-01' })}
        Picker={Picker}
        FolderPicker={picker('folder-2', 'More scans')}
        onSaved={nothing}
      />,
    )
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Choose a folder …' }))
    await person.click(screen.getByRole('button', { name: 'pick' }))
    await person.click(screen.getByRole('button', { name: 'Save' }))
    await person.click(await screen.findByRole('checkbox', { name: /may name patients/ }))
    await person.click(screen.getByRole('button', { name: /Save$/ }))
    await waitFor(() =>
      expect(received.at(-1)?.body).toMatchObject({
        folderIds: ['folder-1', 'folder-2'],
        withPatients: true,
      }),
    )
  })

  it('are opened by the provider who has them, and only counted for others', async () => {
    signIn()
    serve({})
    const work = makeWork({ isProvider: true })
    const { unmount } = renderPart(
      <DemandView
        demand={makeDemand({ folders: 1, data, state: 'assigned', work })}
        Picker={Picker}
        onOrder={nothing}
      />,
    )
    expect(await screen.findByRole('link', { name: 'Scans' })).toHaveAttribute(
      'href',
      '/cloudFile?id=folder-1',
    )
    unmount()
    renderPart(<DemandView demand={makeDemand({ folders: 2 })} Picker={Picker} onOrder={nothing} />)
    expect(await screen.findByText(/^2 folders of data: the provider sees them/)).toBeVisible()
  })
})
