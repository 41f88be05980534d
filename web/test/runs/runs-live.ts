/** A line to the server's live events, in the place of socket.io-client: tests say what comes over it. */
import type { LiveEvent } from '@neuroloom/contract/live'
import { act } from '@testing-library/react'

type Listener = (...args: never[]) => void

const listeners = new Map<string, Listener[]>()
export const watched: Record<string, unknown>[] = []

const line = {
  connected: true,
  on(name: string, listener: Listener) {
    listeners.set(name, [...(listeners.get(name) ?? []), listener])
    return line
  },
  emit(name: string, body: Record<string, unknown>, answer: (answer: { ok: boolean }) => void) {
    if (name !== 'watch') return
    watched.push(body)
    answer({ ok: true })
  },
  connect: () => line,
  disconnect: () => line,
}

export const io = () => line

/** The line breaks, and stands again: what passed meanwhile does not come. */
export function reconnect(): void {
  for (const name of ['disconnect', 'connect'])
    act(() => {
      for (const listener of listeners.get(name) ?? []) (listener as () => void)()
    })
}

/** An engine event of a run, as the server passes it on. */
export function announce(runId: string, type: string, data: Record<string, unknown> = {}, id = 0): void {
  tell({ id, topic: { kind: 'run', id: runId }, type, data })
}

/** News of any topic. */
export function tell(event: LiveEvent): void {
  for (const listener of listeners.get('event') ?? []) {
    // The only listener of `event` takes a live event.
    ;(listener as (event: LiveEvent) => void)(event)
  }
}
