import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as goal from '../../src/lib/goal.ts'
import { enterByKey } from '../../src/lib/key-link.ts'
import * as session from '../../src/lib/session.ts'
import { takeTicket } from '../../src/lib/sign-in-ticket.ts'
import { visibleToasts } from '../../src/lib/toast.ts'
import { makeSignedIn, signIn } from '../make.ts'
import { Refusal, serve } from '../serve.ts'

const here = () => window.location.pathname + window.location.search

describe('a link that signs in', () => {
  beforeEach(() => window.history.replaceState(null, '', '/projectDetail?id=7&key=opaque-1'))
  afterEach(() => window.history.replaceState(null, '', '/'))

  it('uses the key once, in place of whoever was signed in, and takes it out of the address first', async () => {
    signIn({ id: 'user-9' })
    const addresses: string[] = []
    const received = serve({
      'user/login': () => {
        addresses.push(here())
        return makeSignedIn({ id: 'user-2' }, 'd'.repeat(20))
      },
    })
    await enterByKey()
    expect(received.map(({ body }) => body)).toEqual([{ key: 'opaque-1', ocibe: 1 }])
    expect(received[0]?.headers.get('token')).toBeNull()
    expect(addresses).toEqual(['/projectDetail?id=7'])
    expect(session.user()?.id).toBe('user-2')
    expect(session.isEmbedded()).toBe(true)
    expect(here()).toBe('/projectDetail?id=7')
  })

  it('that was used already says so and leaves nobody signed in', async () => {
    signIn()
    serve({
      'user/login': () => {
        throw new Refusal('key_expired')
      },
    })
    await enterByKey()
    expect(session.user()).toBeNull()
    expect(visibleToasts().map(({ text }) => text)).toEqual([
      'This link has been used or is too old. Ask for a new one, or sign in with your password.',
    ])
  })

  it('of an account with a second factor leads to the code, and keeps where it leads', async () => {
    serve({
      'user/login': () => {
        throw new Refusal('second_factor_needed', { ticket: 'ticket-1' })
      },
    })
    await enterByKey()
    expect(session.user()).toBeNull()
    expect(visibleToasts()).toEqual([])
    expect(here()).toBe('/login')
    expect(takeTicket()).toEqual({ ticket: 'ticket-1', byLink: true })
    expect(goal.take()).toBe('/projectDetail?id=7')
  })

  it('without a key does nothing', async () => {
    window.history.replaceState(null, '', '/projectDetail?id=7')
    signIn()
    const received = serve({})
    await enterByKey()
    expect(received).toEqual([])
    expect(session.user()).not.toBeNull()
  })
})
