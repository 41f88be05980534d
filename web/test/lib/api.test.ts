import { toast as toastLimits } from '@neuroloom/contract/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rootOf } from '../../src/lib/address.ts'
import { CallError, call, messageOf, NetworkError } from '../../src/lib/api.ts'
import { setLanguage } from '../../src/lib/i18n.ts'
import * as session from '../../src/lib/session.ts'
import { visibleToasts } from '../../src/lib/toast.ts'
import { makeSignedIn, signIn } from '../make.ts'
import { Refusal, serve, serveText } from '../serve.ts'

const shown = () => visibleToasts().map(({ kind, text }) => `${kind}: ${text}`)

describe('a call', () => {
  it('answers with the data of a success', async () => {
    serve({ 'user/size': () => ({ storageSize: 5, storageLimit: 10 }) })
    expect(await call('user/size', {})).toEqual({ storageSize: 5, storageLimit: 10 })
  })

  it.each([
    ['state 10200 instead of a code', { state: 10200, data: { storageSize: 1 } }],
    ['neither code nor state', { storageSize: 1 }],
  ])('takes %s as success', async (_, answer) => {
    serveText(JSON.stringify(answer), 'application/json; charset=utf-8')
    expect(await call('user/size', {})).toEqual({ storageSize: 1 })
  })

  it('sends token and userId once somebody is signed in, but no userId to user/login', async () => {
    const received = serve({
      'user/size': () => ({ storageSize: 0, storageLimit: null }),
      'user/login': () => makeSignedIn(),
    })
    await call('user/size', {})
    signIn()
    await call('user/size', {})
    await call('user/login', { account: 'a', password: 'b' })
    const [before, after, login] = received
    expect(before?.headers.has('token')).toBe(false)
    expect(before?.headers.has('userId')).toBe(false)
    expect(after?.headers.get('token')).toBe('a'.repeat(20))
    expect(after?.headers.get('userId')).toBe('user-1')
    expect(login?.headers.get('token')).toBe('a'.repeat(20))
    expect(login?.headers.has('userId')).toBe(false)
  })

  it('tells a failure in the chosen language, with its params, as one toast', async () => {
    serve({
      'projects/create': () => {
        throw new Refusal('plan_limit', { limit: 3 })
      },
    })
    await setLanguage('zh')
    const failed = call('projects/create', { name: 'x', task: 'classification' })
    await expect(failed).rejects.toMatchObject({ name: 'plan_limit', code: 20101, params: { limit: 3 } })
    await expect(call('projects/create', { name: 'x', task: 'classification' })).rejects.toThrow(CallError)
    expect(shown()).toEqual(['error: 您的会员等级最多允许 3 个。请删除不再需要的，或升级会员。'])
  })

  it('shows no toast when the caller wants to tell it', async () => {
    serve({
      'user/size': () => {
        throw new Refusal('busy')
      },
    })
    await expect(call('user/size', {}, { quiet: true })).rejects.toThrow('busy at the moment')
    expect(shown()).toEqual([])
  })

  it('shows the text of the server when it does not know the code', async () => {
    serveText(JSON.stringify({ code: 77777, message: 'From a newer server' }), 'application/json')
    await expect(call('user/size', {})).rejects.toThrow('From a newer server')
    expect(shown()).toEqual(['error: From a newer server'])
  })

  it.each(['session_replaced', 'not_signed_in'] as const)(
    'ends the session on %s and says so',
    async (name) => {
      signIn()
      sessionStorage.setItem('runId', '5')
      await setLanguage('en')
      serve({
        'user/size': () => {
          throw new Refusal(name)
        },
      })
      await expect(call('user/size', {}, { quiet: true })).rejects.toThrow(CallError)
      expect(session.user()).toBeNull()
      expect(session.token()).toBeNull()
      expect(sessionStorage.getItem('runId')).toBeNull()
      expect(sessionStorage.getItem('theLanguage')).toBe('en')
      expect(shown()).toHaveLength(1)
      expect(shown()[0]).toMatch(/^warning: .*(log|sign) in again\.$/)
    },
  )

  it('that comes late ends nothing that began meanwhile, and clears nothing that was kept for later', async () => {
    let answerLate = (): void => undefined
    const late = new Promise<void>((resolve) => {
      answerLate = resolve
    })
    serve({
      'user/size': async () => {
        await late
        throw new Refusal('session_replaced')
      },
      'user/info': () => {
        throw new Refusal('session_replaced')
      },
    })
    signIn()
    const slow = call('user/size', {})
    await expect(call('user/info', { userId: 'user-1' })).rejects.toThrow(CallError)
    sessionStorage.setItem('goal', 'kept')
    session.start({ token: 'b'.repeat(20), closing: 'closing-2', user: makeSignedIn() })
    answerLate()
    await expect(slow).rejects.toThrow(CallError)
    expect(session.token()).toBe('b'.repeat(20))
    expect(sessionStorage.getItem('goal')).toBe('kept')
    expect(shown()).toHaveLength(1)
  })
})

describe('a broken line', () => {
  beforeEach(() => {
    // Files that share the page may have left it.
    dispatchEvent(new Event('pageshow'))
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it("never takes a proxy's HTML page for success", async () => {
    serveText('<html>10200</html>', 'text/html')
    await expect(call('user/challenge', { purpose: 'login' })).rejects.toThrow(NetworkError)
    expect(console.error).toHaveBeenCalledOnce()
  })

  it('is logged and rejected without a toast', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')))
    const error = await call('user/size', {}).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NetworkError)
    expect(messageOf(error)).toContain('cannot be reached')
    expect(console.error).toHaveBeenCalledOnce()
    expect(shown()).toEqual([])
  })

  it('is logged no more once the page was left, until it comes back', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('cancelled')))
    dispatchEvent(new Event('pagehide'))
    await expect(call('user/size', {})).rejects.toThrow(NetworkError)
    expect(console.error).not.toHaveBeenCalled()
    dispatchEvent(new Event('pageshow'))
    await expect(call('user/size', {})).rejects.toThrow(NetworkError)
    expect(console.error).toHaveBeenCalledOnce()
  })
})

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('go after two seconds, and only then the next one is shown', async () => {
    const { toast } = await import('../../src/lib/toast.ts')
    toast.error('first')
    toast.error('second')
    expect(shown()).toEqual(['error: first'])
    vi.advanceTimersByTime(toastLimits.durationMs)
    expect(shown()).toEqual([])
    toast.success('third')
    expect(shown()).toEqual(['success: third'])
  })
})

describe('local data', () => {
  it('of another day is cleaned at the start, of today it stays', () => {
    signIn()
    session.cleanStale()
    expect(session.user()?.nickName).toBe('Radiology')
    session.cleanStale(new Date(Date.now() + 25 * 3600 * 1000))
    expect(session.user()).toBeNull()
  })

  it('holds of a user only what pages need', () => {
    signIn({ phone: '+8613800138000', email: 'maria@hospital.org' })
    const kept = Object.keys(JSON.parse(localStorage.getItem('userInfo') ?? '{}'))
    expect(kept.sort()).toEqual([
      'id',
      'mustChangePassword',
      'nickName',
      'photo',
      'role',
      'type',
      'vipLevel',
      'vipSuper',
      'vipValid',
    ])
  })
})

it('finds the calls beside the application, whatever folder that is served from', () => {
  expect(['/', '/app/', '/hospital/app/'].map(rootOf)).toEqual(['/', '/', '/hospital/'])
})
