/** Tells people what an action did, in their language: aloud for screen readers, and as a message where it failed. */
import i18next from 'i18next'
import { toast } from '../../../lib/toast.ts'
import type { Workbench } from './workbench.ts'

type Params = Record<string, string | number>

/** `key` below `dripe:told`. */
export function tell(bench: Workbench, key: string, params: Params = {}): void {
  bench.screen.getState().tell(i18next.t(`dripe:told.${key}`, params))
}

/** `key` below `dripe:refused`: why nothing happened. */
export function refuse(bench: Workbench, key: string, params: Params = {}): void {
  const text = i18next.t(`dripe:refused.${key}`, params)
  bench.screen.getState().tell(text)
  toast.warning(text)
}
