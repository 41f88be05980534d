import type { Display } from '@neuroloom/contract/displays'
import type { Access } from '@neuroloom/contract/files'
import type { Run } from '@neuroloom/contract/runs'
import { FlowRunView } from '../features/flow/run/run-view.tsx'
import { Downloads } from '../features/runs/downloads.tsx'

type Props = { run: Run; access: Access; displays: readonly Display[] }

/** On the page of a run: what 4D flow came to. */
export function FlowRunPart({ run, access, displays }: Props) {
  return (
    <FlowRunView
      run={run}
      mayChange={access !== 'view'}
      displays={displays}
      downloads={<Downloads run={run} />}
    />
  )
}
