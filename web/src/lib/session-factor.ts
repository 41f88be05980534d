/** That the server asked for a second factor: pages that show what is behind it listen. */
const listeners = new Set<() => void>()

export function ask(): void {
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
