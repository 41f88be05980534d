import { closingMs } from '@neuroloom/contract/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resume, watchClosing } from '../../src/lib/closing.ts'
import * as session from '../../src/lib/session.ts'
import { signIn } from '../make.ts'
import { serve } from '../serve.ts'

const gone = () => localStorage.getItem('closingAt')
const close = (persisted = false) => window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted }))

describe('a window that closes', () => {
  let beacons: { url: string; form: URLSearchParams }[]
  let stop: () => void
  beforeEach(() => {
    beacons = []
    vi.stubGlobal('navigator', {
      ...navigator,
      sendBeacon: (url: string, form: URLSearchParams) => beacons.push({ url, form }) > 0,
    })
    stop = watchClosing()
  })
  afterEach(() => stop())

  it('tells the server by the closing word, never by the token', () => {
    signIn()
    close()
    expect(beacons.map(({ url, form }) => [url, String(form)])).toEqual([
      [expect.stringMatching(/AI\/api\/user\/closing$/), 'closing=closing-1'],
    ])
    expect(Number(gone())).toBeGreaterThan(0)
  })

  it('says nothing when nobody is signed in or the browser keeps the page', () => {
    close()
    signIn()
    close(true)
    expect(gone()).toBeNull()
  })

  it('keeps the session when another tab is open', async () => {
    const received = serve({ 'user/stay': () => ({}) })
    signIn()
    localStorage.setItem('closingAt', String(Date.now()))
    const other = new BroadcastChannel('neuroloom-closing')
    other.postMessage(null)
    await vi.waitFor(() => expect(received.map(({ path }) => path)).toContain('user/stay'))
    expect(gone()).toBeNull()
    other.close()
  })
})

describe('a page that starts', () => {
  it('stays signed in after a reload and says so', async () => {
    const received = serve({ 'user/stay': () => ({}) })
    signIn()
    localStorage.setItem('closingAt', String(Date.now() - closingMs / 2))
    resume()
    await vi.waitFor(() => expect(received.map(({ path }) => path)).toContain('user/stay'))
    expect(session.user()).not.toBeNull()
    expect(gone()).toBeNull()
  })

  it('clears local and session storage when the window was closed for longer, except the language', () => {
    const received = serve({})
    signIn()
    sessionStorage.setItem('theLanguage', 'ru')
    localStorage.setItem('closingAt', String(Date.now() - closingMs - 1))
    resume(Date.now())
    expect(session.user()).toBeNull()
    expect(session.token()).toBeNull()
    expect(localStorage.length).toBe(0)
    expect(sessionStorage.getItem('theLanguage')).toBe('ru')
    expect(received).toEqual([])
  })

  it('stays signed in however long its scripts took', async () => {
    serve({ 'user/stay': () => ({}) })
    signIn()
    const began = Date.now() - 6 * closingMs
    localStorage.setItem('closingAt', String(began - 500))
    resume(began)
    expect(session.user()).not.toBeNull()
  })

  it('without a mark asks nothing', () => {
    const received = serve({})
    signIn()
    resume()
    expect(received).toEqual([])
    expect(session.user()).not.toBeNull()
  })
})
