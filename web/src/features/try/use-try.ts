import type { ExportedFacts } from '@neuroloom/contract/exported'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Asker, type Reply, startAsker } from './asker.ts'
import { type FailureName, failureOf, TryFailure } from './failure.ts'
import type { Answer } from './network.ts'
import { readFacts } from './onnx-file.ts'
import type { Shown } from './shown.ts'

/** Brings the exported network; told how far it is, 0 to 1. */
export type LoadNetwork = (onShare: (share: number) => void) => Promise<Uint8Array>

export type TryState = {
  facts: ExportedFacts | null
  /** Of the network's way here, 0 to 1. */
  loaded: number
  name: string
  shown: Shown | null
  isBusy: boolean
  /** Of a picture in several parts. */
  part: { done: number; of: number } | null
  answer: Answer | null
  milliseconds: number
  failure: FailureName | null
}

const start: TryState = {
  ...{ facts: null, loaded: 0, name: '', shown: null, isBusy: false },
  ...{ part: null, answer: null, milliseconds: 0, failure: null },
}

/** One network and the picture that it looks at: the newest one; an older one is given up. */
export function useTry(load: LoadNetwork) {
  const [state, setState] = useState(start)
  const bytes = useRef<Uint8Array | null>(null)
  const asker = useRef<Asker | null>(null)
  /** What was asked before the network was here, or since its worker was ended. */
  const file = useRef<File | null>(null)
  const isBusy = useRef(false)

  const change = useCallback((part: Partial<TryState>) => {
    if ('isBusy' in part) isBusy.current = part.isBusy === true
    setState((now) => ({ ...now, ...part }))
  }, [])

  const wake = useCallback((): Asker | null => {
    if (!bytes.current) return null
    asker.current ??= startAsker(bytes.current, (reply) => change(changeBy(reply)))
    return asker.current
  }, [change])

  const choose = useCallback(
    (chosen: File) => {
      if (isBusy.current) end(asker)
      file.current = chosen
      const fresh = { shown: null, answer: null, part: null, failure: null }
      change({ ...fresh, name: chosen.name, isBusy: true })
      wake()?.ask({ file: chosen })
    },
    [change, wake],
  )

  const turn = useCallback(() => {
    if (isBusy.current) return
    change({ answer: null, isBusy: true })
    asker.current?.ask({ turn: true })
  }, [change])

  const stop = useCallback(() => {
    end(asker)
    file.current = null
    change({ isBusy: false, shown: null, part: null })
  }, [change])

  useEffect(() => {
    let isHere = true
    load((loaded) => isHere && change({ loaded }))
      .then((network) => {
        if (!isHere) return
        const facts = readFacts(network)
        if (!facts) throw new TryFailure('network_broken')
        if (facts.task === 'volume_segmentation') throw new TryFailure('volume')
        bytes.current = network
        change({ facts, loaded: 1 })
        const asked = wake()
        if (file.current) asked?.ask({ file: file.current })
      })
      .catch((error: unknown) => isHere && change({ failure: failureOf(error), isBusy: false }))
    return () => {
      isHere = false
      end(asker)
    }
  }, [load, change, wake])

  return { ...state, choose, turn, stop }
}

function end(asker: { current: Asker | null }): void {
  asker.current?.end()
  asker.current = null
}

function changeBy(reply: Reply): Partial<TryState> {
  switch (reply.kind) {
    case 'picture':
      return { shown: reply.shown }
    case 'part':
      return { part: { done: reply.done, of: reply.of } }
    case 'answer':
      return { answer: reply.answer, milliseconds: reply.milliseconds, isBusy: false, part: null }
    case 'failure':
      return { failure: reply.failure, isBusy: false, part: null }
  }
}
