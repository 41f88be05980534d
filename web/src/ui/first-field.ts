/** The `ref` of the field that a dialog begins with: ready to be typed into as soon as it can be seen. `autoFocus` comes before that, and Ant Design then leaves the focus on the button that closes the dialog. */
import type { InputRef } from 'antd'

export function firstField(field: InputRef | null): (() => void) | undefined {
  const input = field?.input
  if (!input || met.has(input)) return
  const watcher = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return
    watcher.disconnect()
    met.add(input)
    field.focus({ cursor: 'all' })
  })
  watcher.observe(input)
  return () => watcher.disconnect()
}

/** A ref is called again after each change; a focus that somebody moved on stays there. */
const met = new WeakSet<HTMLInputElement>()
