import type { VisitorMessage } from '@neuroloom/contract/site'
import { screen, within } from '@testing-library/react'
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
      'site/messages': ({ state }) => ({
        items: state === 'open' && !isAnswered ? [message()] : [],
        next: null,
        openCount: isAnswered ? 0 : 1,
      }),
      'site/answer': () => {
        isAnswered = true
        return { isSent: true }
      },
    })
    const person = userEvent.setup()
    renderPart(<Admin />)
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
