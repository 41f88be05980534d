import { useEffect, useRef, useState } from 'react'
import type { FlowWorker } from './numbers/ask-worker.ts'
import type { Asks } from './numbers/asks.ts'

type Kind = 'picture' | 'paths' | 'hull'

/** The newest answer that came; while one is made, only the newest question waits. Null asks nothing. */
export function useAnswer<K extends Kind>(
  worker: FlowWorker,
  kind: K,
  ask: Asks[K]['ask'] | null,
): { answer: Asks[K]['answer'] | null; isFailed: boolean } {
  const [answer, setAnswer] = useState<Asks[K]['answer'] | null>(null)
  const [isFailed, setFailed] = useState(false)
  const wanted = useRef<Asks[K]['ask'] | null>(null)
  const isBusy = useRef(false)
  const key = JSON.stringify(ask)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of the question
  useEffect(() => {
    let isGone = false
    wanted.current = ask
    const next = async () => {
      if (isBusy.current) return
      isBusy.current = true
      while (wanted.current !== null) {
        const current = wanted.current
        wanted.current = null
        try {
          const made = await worker.ask(kind, current)
          // Of a conditional type the checker does not see that it is no function.
          setAnswer(() => made)
          setFailed(false)
        } catch (error) {
          console.error(error)
          if (!isGone) setFailed(true)
        }
      }
      isBusy.current = false
    }
    void next()
    return () => {
      isGone = true
    }
  }, [worker, kind, key])
  return { answer, isFailed }
}
