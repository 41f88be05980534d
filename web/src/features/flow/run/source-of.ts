/** What the viewer opens of a run. */
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { Start } from '../viewer/choice.ts'
import type { Source } from '../viewer/source.ts'

/** Its files. */
export function sourceOf(detail: FlowRunDetail, name: string): Source & { head: FlowStudy } {
  const { run, study, values, mask, derived, before } = detail
  return { key: run.id, name, values, mask, derived, before, head: study.head }
}

/** Options as it had them. */
export const startOf = ({ asked: { kinds, settings, fitOrder } }: FlowRunDetail): Start => ({
  ...{ kinds, settings, fitOrder },
})
