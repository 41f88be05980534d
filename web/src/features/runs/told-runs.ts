/** Which ended runs this browser has told of, over all its windows, and whether it may also do so in the background. */

const TOLD = 'runs.told'
const BACKGROUND = 'runs.background'
/** Ends of runs that are still worth remembering. */
const KEPT = 50

/** True the first time; other windows of the browser then stay silent. */
export function tellOnce(id: string): boolean {
  const told = (localStorage.getItem(TOLD) ?? '').split(' ').filter(Boolean)
  if (told.includes(id)) return false
  localStorage.setItem(TOLD, [...told, id].slice(-KEPT).join(' '))
  return true
}

/** Browsers show notifications only to pages with https, or on the own machine. */
export const canTellInBackground = (): boolean =>
  window.isSecureContext && 'Notification' in window && Notification.permission !== 'denied'

/** The member asked for it, for this account on this browser. */
export const tellsInBackground = (userId: string): boolean =>
  canTellInBackground() &&
  Notification.permission === 'granted' &&
  localStorage.getItem(BACKGROUND) === userId

/** Asks the browser; true when it agrees. */
export async function startTellingInBackground(userId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(BACKGROUND, userId)
  return true
}

export const stopTellingInBackground = (): void => localStorage.removeItem(BACKGROUND)
