import { useEffect, useRef, useState } from 'react'

export type Making =
  | { state: 'idle' }
  | { state: 'making'; share: number }
  | { state: 'failed'; error: unknown }

type Steps<Made> = {
  make: (onProgress: (share: number) => void, signal: AbortSignal) => Promise<Made>
  onMade: (made: Made) => void
}

/** Something that takes a while, and can be stopped: also by leaving. What failed or was stopped leaves nothing behind. */
export function useMaking() {
  const [making, setMaking] = useState<Making>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  return {
    making,
    async start<Made>({ make, onMade }: Steps<Made>): Promise<void> {
      const control = new AbortController()
      running.current = control
      setMaking({ state: 'making', share: 0 })
      try {
        const made = await make((share) => setMaking({ state: 'making', share }), control.signal)
        control.signal.throwIfAborted()
        setMaking({ state: 'idle' })
        onMade(made)
      } catch (error) {
        if (control.signal.aborted) return
        console.error(error)
        setMaking({ state: 'failed', error })
      }
    },
    stop() {
      running.current?.abort()
      setMaking({ state: 'idle' })
    },
  }
}
