import { useEffect, useRef, useState } from 'react'
import { type FlowWorker, startWorker } from './numbers/ask-worker.ts'
import type { Facts, OpenFault } from './numbers/asks.ts'
import type { Source } from './source.ts'

export type Opening =
  | { state: 'loading'; loaded: number; whole: number | null }
  | { state: 'failed'; fault: OpenFault | 'stopped' }
  | { state: 'open'; facts: Facts; worker: FlowWorker }

const begun: Opening = { state: 'loading', loaded: 0, whole: null }

/** The files of a study, read aside; `stop` ends it on the way, `again` asks for fresh addresses first. */
export function useStudy(source: Source, onAgain: (() => Promise<unknown>) | undefined) {
  const [opening, setOpening] = useState<Opening>(begun)
  const [turn, setTurn] = useState(0)
  const running = useRef<FlowWorker | null>(null)
  // A fresh address of the same study is no reason to load it once more.
  const newest = useRef(source)
  newest.current = source

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn is another try
  useEffect(() => {
    setOpening(begun)
    const { values, mask = null, derived = null } = newest.current
    if (values === null) return setOpening({ state: 'failed', fault: 'gone' })
    const worker = startWorker((loaded, whole) => setOpening({ state: 'loading', loaded, whole }))
    running.current = worker
    const whole = (url: string) => new URL(url, location.href).href
    const files = { url: whole(values), mask: mask && whole(mask), derived: derived && whole(derived) }
    worker.ask('open', files).then(
      (answer) =>
        setOpening(
          typeof answer === 'string'
            ? { state: 'failed', fault: answer }
            : { state: 'open', facts: answer, worker },
        ),
      () => setOpening({ state: 'failed', fault: 'format' }),
    )
    return () => worker.end()
  }, [source.key, turn, source.values === null])

  return {
    opening,
    stop() {
      running.current?.end()
      setOpening({ state: 'failed', fault: 'stopped' })
    },
    async again() {
      await onAgain?.()
      setTurn((before) => before + 1)
    },
  }
}
