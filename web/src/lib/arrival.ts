/**
 * Whether a page was just changed and its heading has not been given the focus yet. Without it, the focus stays on a link
 * that is gone, and a screen reader says nothing of the new page. One page is shown at a time, so one note is enough.
 */
let hasArrived = false

/** The layout says so when the address names another page. */
export function noteArrival(): void {
  hasArrived = true
}

/** Answered with true once a change of page: the first heading that asks takes the focus. */
export function takeArrival(): boolean {
  const answer = hasArrived
  hasArrived = false
  return answer
}

/** Nothing on the page itself has the focus already, as a dialog or a first field would. */
export function isFocusFree(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.closest('main, [role="dialog"]') === null
}
