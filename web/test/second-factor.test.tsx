import type { Answer } from '@neuroloom/contract/calls'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { SecondFactor } from '../src/features/accounts/second-factor/second-factor.tsx'
import * as session from '../src/lib/session.ts'
import { keepTicket } from '../src/lib/sign-in-ticket.ts'
import { visibleToasts } from '../src/lib/toast.ts'
import { Admin } from '../src/pages/admin.tsx'
import { Login } from '../src/pages/login.tsx'
import { drag, fill } from './fill.ts'
import { makeChallenge, makeSetting, makeSignedIn, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

const recoveryCodes = Array.from({ length: 10 }, (_, index) => `ABCD${index}-FGHJK`)
type State = Answer<'user/secondFactorState'>
const off: State = { isOn: false, codesLeft: 0, asks: 'nothing' }
const on: State = { isOn: true, codesLeft: 10, asks: 'nothing' }
const secret = { secret: 'GEZDGNBVGY3TQOJQ', address: 'otpauth://totp/Neuroloom:me?secret=GEZDGNBVGY3TQOJQ' }

describe('signing in with a second factor', () => {
  const open = (step: () => Answer<'user/secondFactor'>) => {
    const received = serve({
      'setting/public': () => makeSetting(),
      'user/challenge': () => makeChallenge(),
      'user/login': () => {
        throw new Refusal('second_factor_needed', { ticket: 'ticket-1' })
      },
      'user/secondFactor': step,
    })
    renderPart(<Login />, '/login')
    return { received, person: userEvent.setup() }
  }

  it('asks for the code after the password, without a message of failure, and goes in by it', async () => {
    const { received, person } = open(() => makeSignedIn())
    await screen.findByRole('slider')
    fill('login', { phone: '13800138000', password: 'secret-1' })
    await drag(person)
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible()
    expect(visibleToasts()).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText('Please enter the code.')).toBeVisible()
    await person.type(screen.getByLabelText('Code from the app'), '123456')
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(session.token()).toBe('c'.repeat(20)))
    expect(received.at(-1)?.body).toEqual({ ticket: 'ticket-1', code: '123456' })
    expect(session.isEmbedded()).toBe(false)
  })

  it('takes a recovery code, says what is wrong with it, and leads back to the password', async () => {
    keepTicket({ ticket: 'ticket-2', byLink: true })
    const { received, person } = open(() => {
      throw new Refusal('second_factor_wrong')
    })
    await person.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    await person.type(screen.getByLabelText('Recovery code'), 'ABCDE-FGHJK')
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText(/This code is not correct/, { selector: 'form p' })).toBeVisible()
    expect(received.at(-1)?.body).toEqual({ ticket: 'ticket-2', code: 'ABCDE-FGHJK' })
    await person.click(screen.getByRole('button', { name: 'Back to sign in' }))
    expect(await screen.findByRole('slider')).toBeVisible()
  })
})

describe('the second factor in the personal centre', () => {
  it('is set up by password, QR code and a first code, and shows the recovery codes until they are stored', async () => {
    let state = off
    signIn()
    const received = serve({
      'user/secondFactorState': () => state,
      'user/secondFactorStart': () => secret,
      'user/secondFactorConfirm': () => {
        state = on
        return { recoveryCodes }
      },
    })
    renderPart(<SecondFactor />)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Set up two-factor sign-in' }))
    await person.type(screen.getByLabelText('Your password'), 'secret-1')
    await person.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByAltText('QR code for the authenticator app')).toBeVisible()
    expect(screen.getByText('GEZD GNBV GY3T QOJQ')).toBeVisible()
    await person.type(screen.getByLabelText('Code from the app'), '123456')
    await person.click(screen.getByRole('button', { name: 'Turn on' }))
    const codes = await screen.findByRole('list', { name: 'Your recovery codes' })
    expect(within(codes).getAllByRole('listitem')).toHaveLength(10)
    await person.click(screen.getByRole('button', { name: 'I have stored them' }))
    expect(await screen.findByText('10 recovery codes are left.')).toBeVisible()
    const sent = received.filter(({ path }) => !path.endsWith('State')).map(({ path, body }) => [path, body])
    expect(sent).toEqual([
      ['user/secondFactorStart', { userId: 'user-1', password: 'secret-1' }],
      ['user/secondFactorConfirm', { userId: 'user-1', code: '123456' }],
    ])
  })

  it('is turned off, and gets new recovery codes, by password and code', async () => {
    let state: State = { ...on, codesLeft: 1 }
    signIn()
    const received = serve({
      'user/secondFactorState': () => state,
      'user/secondFactorCodes': () => ({ recoveryCodes }),
      'user/secondFactorOff': () => {
        state = off
        return {}
      },
    })
    renderPart(<SecondFactor />)
    const person = userEvent.setup()
    expect(await screen.findByText('1 recovery code is left.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'New recovery codes' }))
    fill('factor', { password: 'secret-1', code: '123456' })
    await person.click(screen.getByRole('button', { name: 'New recovery codes' }))
    await person.click(await screen.findByRole('button', { name: 'I have stored them' }))
    await person.click(await screen.findByRole('button', { name: 'Turn off' }))
    fill('factor', { password: 'secret-1', code: '654321' })
    await person.click(screen.getByRole('button', { name: 'Turn off two-factor sign-in' }))
    expect(await screen.findByRole('button', { name: 'Set up two-factor sign-in' })).toBeVisible()
    expect(received.find(({ path }) => path === 'user/secondFactorOff')?.body).toEqual({
      ...{ userId: 'user-1', password: 'secret-1', code: '654321' },
    })
  })
})

describe('the back-office', () => {
  it('asks an administrator to set a second factor up, and calls nothing before', async () => {
    let state: State = { ...off, asks: 'setUp' }
    signIn({ role: 2 })
    const received = serve({
      'setting/public': () => makeSetting({ host: -1 }),
      'user/secondFactorState': () => state,
      'user/secondFactorStart': () => secret,
      'user/secondFactorConfirm': () => {
        state = on
        return { recoveryCodes }
      },
      'members/list': () => ({ members: [], total: 0, pageSize: 20 }),
    })
    renderPart(<Admin />, '/admin')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Set up two-factor sign-in' }))
    fill('ask', { password: 'secret-1' })
    await person.click(screen.getByRole('button', { name: 'Next' }))
    await person.type(await screen.findByLabelText('Code from the app'), '123456')
    await person.click(screen.getByRole('button', { name: 'Turn on' }))
    await screen.findByRole('list', { name: 'Your recovery codes' })
    expect(received.some(({ path }) => path === 'members/list')).toBe(false)
    await person.click(screen.getByRole('button', { name: 'I have stored them' }))
    expect(await screen.findByText('Nobody found')).toBeVisible()
  })

  it('asks for the code again once a call was refused for it', async () => {
    let state = on
    signIn({ role: 2 })
    serve({
      'setting/public': () => makeSetting({ host: -1 }),
      'user/secondFactorState': () => state,
      'user/secondFactorAgain': () => {
        state = on
        return {}
      },
      'members/list': () => {
        if (state.asks === 'nothing' && isRefused) return { members: [], total: 0, pageSize: 20 }
        isRefused = true
        state = { ...on, asks: 'code' }
        throw new Refusal('second_factor_again')
      },
    })
    let isRefused = false
    renderPart(<Admin />, '/admin')
    const person = userEvent.setup()
    await person.type(await screen.findByLabelText('Code from the app'), '123456')
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Nobody found')).toBeVisible()
  })
})
