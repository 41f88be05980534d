import { useMemo, useState } from 'react'
import type { FlowWorker } from './numbers/ask-worker.ts'
import type { OpenFault } from './numbers/asks.ts'

type State = 'unopened' | 'loading' | 'ready' | OpenFault
export type Before = ReturnType<typeof useBefore>

/** The study before its corrections, loaded when it is first looked at. */
export function useBefore(worker: FlowWorker, url: string | null) {
  const [state, setState] = useState<State>('unopened')
  // One object while nothing changes: at 25 frames a second the bar has no time to be made anew.
  return useMemo(
    () => ({ state, open: () => opened({ worker, url, state, setState }) }),
    [worker, url, state],
  )
}

type Opening = { worker: FlowWorker; url: string | null; state: State; setState: (state: State) => void }

/** True once it is there. */
async function opened({ worker, url, state, setState }: Opening): Promise<boolean> {
  if (state === 'ready') return true
  if (url === null || state === 'loading') return false
  setState('loading')
  const address = new URL(url, location.href).href
  const answer = await worker.ask('before', { url: address }).catch(() => 'format' as const)
  setState(answer)
  return answer === 'ready'
}
