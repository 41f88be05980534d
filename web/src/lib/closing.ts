/** Closing the last window signs out; a reload and other tabs stay signed in. Decides nothing: the server waits and ends. */
import { closingMs } from '@neuroloom/contract/limits'
import { apiRoot } from './address.ts'
import { call } from './api.ts'
import * as session from './session.ts'

const markKey = 'closingAt'
/** A beacon may arrive after the next page's first call, so that page speaks up twice. */
const AGAIN_MS = 3000

/** Once a page load, before anything is shown: what an earlier window left when it closed. */
export function resume(now = Date.now()): void {
  const mark = localStorage.getItem(markKey)
  if (mark === null) return
  localStorage.removeItem(markKey)
  if (session.token() === null) return
  // The server has ended that session by now.
  if (now - Number(mark) > closingMs) session.end()
  else stay()
}

/** From now on tells the server and the other tabs when this window goes. */
export function watchClosing(): () => void {
  const tabs = new BroadcastChannel('neuroloom-closing')
  const leave = ({ persisted }: PageTransitionEvent) => {
    const closing = session.closing()
    // A page that the browser keeps for "back" has not gone.
    if (persisted || closing === null) return
    localStorage.setItem(markKey, String(Date.now()))
    tabs.postMessage(null)
    const body = new Blob([JSON.stringify({ closing })], { type: 'application/json' })
    navigator.sendBeacon(`${apiRoot}user/closing`, body)
  }
  tabs.onmessage = () => {
    localStorage.removeItem(markKey)
    stay()
  }
  window.addEventListener('pagehide', leave)
  return () => {
    tabs.close()
    window.removeEventListener('pagehide', leave)
  }
}

function stay(): void {
  const speak = () => {
    // A session that has ended announces itself; an unreachable server ends nothing.
    if (session.token() !== null) call('user/stay', {}, { quiet: true }).catch(() => undefined)
  }
  speak()
  setTimeout(speak, AGAIN_MS)
}
