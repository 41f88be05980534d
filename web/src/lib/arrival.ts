/**
 * The focus after a change of page: on the heading of the new one, which screen readers then say. Without it, the focus
 * stays on a link that is gone, and nothing is said.
 */

/** As soon as the page has a heading; once. Answers with how to stop waiting for it. */
export function focusHeading(): () => void {
  if (hasFocused()) return () => undefined
  const watcher = new MutationObserver(() => {
    if (hasFocused()) watcher.disconnect()
  })
  watcher.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['style'],
  })
  return () => watcher.disconnect()
}

/** False while there is no heading. A page that gave the focus away itself, as to a first field, keeps it there. */
function hasFocused(): boolean {
  const heading = [...document.querySelectorAll('h1')].find((one) => !isHidden(one))
  if (heading === undefined) return false
  if (!isFocusFree()) return true
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}

/** Nothing on the page itself has the focus already, as a dialog or a first field would. */
function isFocusFree(): boolean {
  const focused = document.activeElement
  if (focused === null || focused === document.body || isHidden(focused)) return true
  return focused.closest('main, [role="dialog"]') === null
}

/** Pages that were left may stay behind the one that is shown (app/kept-outlet.tsx). */
const isHidden = (element: Element): boolean => element.closest('[style*="display: none"]') !== null
