import type { Answer } from '@neuroloom/contract/calls'
import type { LabelReading, LabelSet } from '@neuroloom/contract/labelling/labelling'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Judge } from '../../src/features/labelling/editor/judge.tsx'
import { SetPage } from '../../src/features/labelling/sets/set-page.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

beforeEach(() => signIn())

const plain = { description: '', key: null, use: 'class' as const, skeleton: null }
const set: LabelSet = {
  ...{ id: 'set-1', name: 'Kidneys', description: 'Cysts', marks: ['boxes'], oneTag: true, blind: true },
  classes: [
    { ...plain, id: 'cyst', name: 'Cyst', colour: '#e69f00' },
    { ...plain, id: 'stone', name: 'Stone', colour: '#56b4e9' },
  ],
  ...{ right: 'own', owner: '', folderId: 'folder-1', projectId: 'p1', state: 'ready', failure: null },
  ...{ items: 3, finished: { mine: 1, any: 2, accepted: 1 }, createdAt: '2026-11-25T10:00:00Z' },
}
const none = { open: 0, done: 0, accepted: 0, returned: 0 }
const member = { nickName: 'Second', photo: '', account: 'second@example.test' }
const second = { id: 'r-1', member, permission: 'read' as const, addedAt: set.createdAt }

const show = (more: Partial<LabelSet>, tab: string | null = null) => {
  const ways = { picker: () => null, onOpenFolder: () => undefined, onGone: vi.fn() }
  renderPart(<SetPage setId="set-1" tab={tab} {...ways} />, '/labelling?set=set-1')
  return { ...ways, detail: { ...set, ...more } }
}

describe('the readers of a set', () => {
  it('are named by account, seen with how far they are, and withdrawn', async () => {
    const readers = [{ ...second, progress: { ...none, done: 1, returned: 1 } }]
    const received = serve({
      'labelling/detail': () => set,
      'labelling/readers': () => ({ readers, own: none, limit: 50, namePatients: 2 }),
      'labelling/addReader': () => ({ ...second, progress: none }),
      'labelling/removeReader': () => ({}),
    })
    show({}, 'readers')
    const person = userEvent.setup()
    expect(await screen.findByText('1 of 3 finished · 1 returned')).toBeInTheDocument()
    expect(screen.getByText(/Files of 2 images name their patient/)).toBeInTheDocument()
    await person.type(screen.getByLabelText('Account'), 'third@example.test')
    await person.click(screen.getByRole('button', { name: 'Share' }))
    await person.click(screen.getByRole('button', { name: 'Withdraw' }))
    await waitFor(() => expect(received.some(({ path }) => path === 'labelling/removeReader')).toBe(true))
    const sent = (path: string) => received.find((one) => one.path === path)?.body
    expect(sent('labelling/addReader')).toEqual({
      ...{ id: 'set-1', account: 'third@example.test', permission: 'read' },
    })
  })

  it('see images alone, without parts for whoever owns the set or judges', async () => {
    serve({
      'labelling/detail': () => ({ ...set, right: 'read', owner: 'Owner' }),
      'labelling/items': () => ({ items: [], next: null, total: 0 }),
    })
    show({})
    expect(await screen.findByText('No image here')).toBeInTheDocument()
    expect(screen.queryByRole('navigation', { name: 'Parts of the set' })).toBeNull()
    expect(screen.queryByText('All readers')).toBeNull()
  })
})

type Agreement = Answer<'labelling/agreement'>
const boxes = { one: 4, other: 5, matched: 3 }
const found = { class: 'cyst', dice: 0.8123, hausdorff95: 2.5, meanDistance: 1 }
const agreement: Agreement = {
  state: 'ready',
  pairs: [
    {
      ...{ one: '', other: 'Second', images: 3, boxes, unit: 'mm' },
      kappa: { value: 0.4, range: { low: 0.1, high: 0.7 }, images: 3 },
      classes: [{ ...found, images: 3, range: { low: 0.6, high: 0.9 } }],
    },
  ],
  images: [
    {
      ...{ itemId: 'i-1', name: 'a.png', dice: 0.8 },
      pairs: [{ one: '', other: 'Second', classes: [found], boxes, isSameTags: false, unit: 'mm' }],
    },
  ],
}

it('agreement is shown for each two readers, with ranges and numbers, and on each image', async () => {
  serve({ 'labelling/detail': () => set, 'labelling/agreement': () => agreement })
  show({}, 'agreement')
  const row = await screen.findByRole('row', { name: /Cyst/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual([...['0.81', '0.6 … 0.9', '2.5', '1', '3']])
  expect(screen.getByText('0.1 … 0.7')).toBeInTheDocument()
  expect(screen.getByText('different labels')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Side by side' })).toHaveAttribute(
    'href',
    '/labelling?set=set-1&item=i-1&beside',
  )
})

describe('the settings of a set', () => {
  it('refuse classes that differ in case only, and tell what uses a class that is to go', async () => {
    const received = serve({
      'labelling/detail': () => set,
      'labelling/change': () => {
        throw new Refusal('class_used', { name: 'Stone', count: 7, images: 2 })
      },
    })
    show({}, 'settings')
    const person = userEvent.setup()
    const name = await screen.findByLabelText('Name of class 2')
    await person.clear(name)
    await person.type(name, 'CYST')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    expect(screen.getByText(/is there twice/)).toBeInTheDocument()
    expect(received.some(({ path }) => path === 'labelling/change')).toBe(false)
    await person.click(screen.getByRole('button', { name: 'Discard changes' }))
    await person.click(screen.getByRole('button', { name: 'Remove Stone' }))
    await person.click(screen.getByRole('button', { name: 'Add a class' }))
    await person.type(screen.getByLabelText('Name of class 2'), 'Tumour')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/7 marks on 2 images have it or had it/)).toBeInTheDocument()
  })
})

describe('a reading that is judged', () => {
  const reading: LabelReading = {
    ...{ id: 'r', itemId: 'i', reader: 'Second', isAgreed: false, state: 'done', seq: 1 },
    ...{ isWritable: false, changedAt: set.createdAt },
  }

  it('is accepted, or returned with a reason alone', async () => {
    serve({})
    const changed = vi.fn()
    renderPart(<Judge reading={reading} right="review" state="done" onState={changed} />)
    const person = userEvent.setup()
    await person.click(screen.getByRole('button', { name: 'Accept' }))
    expect(changed).toHaveBeenCalledWith('accepted')
    await person.click(screen.getByRole('button', { name: 'Return' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('button', { name: 'Return' })).toBeDisabled()
    await person.type(within(dialog).getByRole('textbox'), 'Too wide')
    await person.click(within(dialog).getByRole('button', { name: 'Return' }))
    expect(changed).toHaveBeenCalledWith('returned', 'Too wide')
  })

  it('is handed in by its reader, and not judged by readers', () => {
    serve({})
    renderPart(
      <Judge reading={{ ...reading, reader: '' }} right="read" state="open" onState={() => undefined} />,
    )
    expect(screen.getByRole('button', { name: 'Finish' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  })
})
