/** Closing the last window signs out; a reload and other tabs stay signed in. Decides nothing: the server waits and ends. */
import { askWhoStays, closingMs } from '@neuroloom/contract/limits'
import { apiRoot } from './address.ts'
import { call } from './api.ts'
import * as session from './session.ts'

const markKey = 'closingAt'
/** A beacon may arrive after the next page's first call, so that page speaks up twice. */
const AGAIN_MS = 3000

/**
 * Once a page load, before anything is shown: what an earlier window left when it closed. `began`: when this page did,
 * however long its scripts took; its first script (build/first-script.ts) has said by then that it is there.
 */
export function resume(began = performance.timeOrigin): void {
  const mark = Number(localStorage.getItem(markKey))
  if (mark === 0) return
  localStorage.removeItem(markKey)
  // The server has ended that session by now.
  if (began - mark > closingMs) session.end()
  else stay()
}

/** From now on tells the server and the other tabs when this window goes. */
export function watchClosing(): () => void {
  const tabs = new BroadcastChannel('neuroloom-closing')
  const leave = ({ persisted }: PageTransitionEvent) => {
    const closing = session.closing()
    // A page that the browser keeps for "back" has not gone.
    if (persisted || closing === null) return
    window.removeEventListener(askWhoStays, speak)
    localStorage.setItem(markKey, String(Date.now()))
    tabs.postMessage(null)
    navigator.sendBeacon(`${apiRoot}user/closing`, new URLSearchParams({ closing }))
  }
  tabs.onmessage = () => {
    localStorage.removeItem(markKey)
    stay()
  }
  window.addEventListener(askWhoStays, speak)
  window.addEventListener('pagehide', leave)
  return () => {
    tabs.close()
    window.removeEventListener(askWhoStays, speak)
    window.removeEventListener('pagehide', leave)
  }
}

function stay(): void {
  speak()
  setTimeout(speak, AGAIN_MS)
}

/**
 * Says that a window is open. Also when the server asks (`live.ts` passes it on): on a slow machine a window's beacon
 * arrives when the next page has long said all that it had to say.
 */
function speak(): void {
  // A session that has ended announces itself; an unreachable server ends nothing.
  if (session.token() !== null) call('user/stay', {}, { quiet: true }).catch(() => undefined)
}
