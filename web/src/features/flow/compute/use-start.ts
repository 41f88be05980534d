import type { Body } from '@neuroloom/contract/calls'
import { type FlowOptionName, flowOptions } from '@neuroloom/contract/flow/options'
import type { Run } from '@neuroloom/contract/runs'
import { useState } from 'react'
import { CallError, messageOf } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import type { Field, Problem } from './draft.ts'

/** A refusal of the server: at its field where it has one, else beside the button. */
export type Refused = { problem: Problem } | { message: string }

/** Queues a flow run; refusals are told in the form, not in passing. */
export function useStart(onStarted: (run: Run) => void) {
  const [refused, setRefused] = useState<Refused | null>(null)
  const start = useAction('flow/start', {
    quiet: true,
    refresh: ['runs/list', 'projects/detail', 'projects/list'],
    onDone: onStarted,
    onFailed: (error) => setRefused(refusedBy(error)),
  })
  return {
    refused,
    /** Another choice: what was refused before is asked anew. */
    forget: () => setRefused(null),
    isPending: start.isPending,
    start(body: Body<'flow/start'>) {
      setRefused(null)
      start.mutate(body)
    },
  }
}

function refusedBy(error: Error): Refused {
  const message = messageOf(error)
  if (!(error instanceof CallError)) return { message }
  const at = (field: Field) => ({ problem: { field, said: message } })
  switch (error.name) {
    case 'study_missing':
    case 'study_not_ready':
      return at('study')
    case 'missing':
      return at('file')
    case 'flow_options_refused':
      return optionRefused(error) ?? { message }
    default:
      return { message }
  }
}

function optionRefused({ params }: CallError): Refused | null {
  const { field, reason, ...rest } = params
  const known: readonly Field[] = ['kinds', 'fitOrder', ...(Object.keys(flowOptions) as FlowOptionName[])]
  const named = field === 'frames' ? 'study' : known.find((one) => one === field)
  if (named === undefined || typeof reason !== 'string') return null
  const numbers = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )
  return { problem: { field: named, text: `flow-options:refused.${reason}`, params: numbers } }
}
