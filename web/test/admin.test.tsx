import type { Answer } from '@neuroloom/contract/calls'
import type { VisitorMessage } from '@neuroloom/contract/site'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Admin } from '../src/pages/admin.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { serve } from './serve.ts'

const message = (changes: Partial<VisitorMessage> = {}): VisitorMessage => ({
  id: 'm2',
  kind: 'consultation',
  name: 'Radiology nurse',
  organ: 'District hospital',
  contact: 'ward@hospital.org',
  topic: 'data',
  text: 'Which files can be used?',
  at: '2026-11-20T09:00:00.000Z',
  answer: '',
  answeredAt: null,
  ...changes,
})

const GB = 1024 ** 3
type State = Answer<'site/server'>
const state = (changes: { clock?: Partial<State['clock']>; disk?: Partial<State['disk']> } = {}): State => ({
  clock: {
    newest: '2026-11-20T09:00:00.000Z',
    now: '2026-11-20T09:05:00.000Z',
    isInDoubt: false,
    ...changes.clock,
  },
  disk: {
    freeBytes: 80 * GB,
    totalBytes: 200 * GB,
    reserveBytes: 4 * GB,
    promisedBytes: 20 * GB,
    ...changes.disk,
  },
})
const noMessages = () => ({ items: [], next: null, openCount: 0 })

describe('the state of the server', () => {
  it('says what is free and what plans promise, and warns of nothing while all is well', async () => {
    signIn({ role: 2 })
    serve({ 'site/server': () => state(), 'site/messages': noMessages })
    renderPart(<Admin />, '/admin?part=server')
    const card = await screen.findByRole('region', { name: 'Server' })
    expect(await within(card).findByText('80 GB of 200 GB')).toBeVisible()
    expect(within(card).queryByRole('alert')).toBeNull()
  })

  it('asks whether the time is right after the clock jumped, and takes the answer', async () => {
    signIn({ role: 2 })
    let isInDoubt = true
    const received = serve({
      'site/server': () => state({ clock: { isInDoubt } }),
      'site/confirmClock': () => {
        isInDoubt = false
        return {}
      },
      'site/messages': noMessages,
    })
    const person = userEvent.setup()
    renderPart(<Admin />, '/admin?part=server')
    expect(await screen.findByText('Is the time right?')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'The time is right' }))
    expect(received.map(({ path }) => path)).toContain('site/confirmClock')
    await waitFor(() => expect(screen.queryByText('Is the time right?')).toBeNull())
  })

  it('tells of a disk that is nearly full, and of plans that promise more than it holds', async () => {
    signIn({ role: 2 })
    serve({
      'site/server': () => state({ disk: { freeBytes: GB, promisedBytes: 900 * GB } }),
      'site/messages': noMessages,
    })
    renderPart(<Admin />, '/admin?part=server')
    expect(await screen.findByText(/uploads and new runs are refused/)).toBeVisible()
    expect(screen.getByText(/promise more than the disk can hold \(900 GB of 200 GB\)/)).toBeVisible()
  })
})

describe('the back-office', () => {
  it('does not exist for members', async () => {
    signIn({ role: 0 })
    const received = serve({})
    renderPart(<Admin />)
    expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
    expect(received).toEqual([])
  })

  it('lists what visitors wrote and sends an answer', async () => {
    signIn({ role: 2 })
    let isAnswered = false
    const received = serve({
      'site/server': () => state(),
      'site/messages': ({ state: wanted }) => ({
        items: wanted === 'open' && !isAnswered ? [message()] : [],
        next: null,
        openCount: isAnswered ? 0 : 1,
      }),
      'site/answer': () => {
        isAnswered = true
        return { isSent: true }
      },
    })
    const person = userEvent.setup()
    renderPart(<Admin />, '/admin?part=messages')
    const card = await screen.findByRole('article', { name: 'Radiology nurse' })
    expect(within(card).getByText('Which files can be used?')).toBeVisible()
    const send = within(card).getByRole('button', { name: 'Send answer' })
    expect(send).toBeDisabled()
    await person.type(within(card).getByRole('textbox', { name: 'Answer' }), 'PNG, JPEG and TIFF.')
    await person.click(send)
    expect(await screen.findByRole('status')).toHaveTextContent('The answer was sent.')
    expect(received.find(({ path }) => path === 'site/answer')?.body).toEqual({
      id: 'm2',
      answer: 'PNG, JPEG and TIFF.',
    })
    expect(await screen.findByRole('heading', { name: 'Nothing here' })).toBeVisible()
  })
})
