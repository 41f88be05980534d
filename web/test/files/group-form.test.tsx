import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { GroupForm } from '../../src/features/files/sharing/group-form.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { type Received, Refusal, serve } from '../serve.ts'

let received: Received[]
beforeEach(() => {
  signIn(makeUser())
  received = serve({
    'files/createGroup': () => {
      throw new Refusal('plan_limit')
    },
  })
})
const asked = () => received.map(({ body }) => body)

describe('a new group', () => {
  it('has a password that is suggested, seen, and another one each time', async () => {
    renderPart(<GroupForm group={null} onClose={() => undefined} />)
    const field = await screen.findByLabelText('Password')
    expect(field).toHaveAttribute('type', 'text')
    const suggested = field.getAttribute('value') ?? ''
    expect(suggested).toMatch(/^[a-z2-9]{8}$/)
    await userEvent.type(screen.getByLabelText('Name'), 'Ward 7')
    await userEvent.click(screen.getByRole('button', { name: 'New group' }))
    expect(asked()).toEqual([{ name: 'Ward 7', about: '', password: suggested }])
    renderPart(<GroupForm group={null} onClose={() => undefined} />)
    const [, other] = await screen.findAllByLabelText('Password')
    expect(other).not.toHaveValue(suggested)
  })

  it('may be without one', async () => {
    renderPart(<GroupForm group={null} onClose={() => undefined} />)
    await userEvent.clear(await screen.findByLabelText('Password'))
    await userEvent.type(screen.getByLabelText('Name'), 'Ward 7')
    await userEvent.click(screen.getByRole('button', { name: 'New group' }))
    expect(asked()).toEqual([{ name: 'Ward 7', about: '', password: '' }])
  })
})
