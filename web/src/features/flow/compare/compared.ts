import type { FlowResults } from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'

/** Of a done run. */
export type Compared = FlowRunDetail & { results: FlowResults }
