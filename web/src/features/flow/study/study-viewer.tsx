import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { useQueryClient } from '@tanstack/react-query'
import { FlowViewer } from '../viewer/flow-viewer.tsx'

/** The flow of a ready study. */
export function StudyViewer({ study }: { study: FlowDetail }) {
  const queries = useQueryClient()
  const { id, name, values, interpolated, head, phantom } = study
  return (
    <FlowViewer
      source={{ key: id, name, values, before: interpolated, beforeIs: 'interpolated', head }}
      {...(phantom && { provenance: { knownFlow: phantom } })}
      onAgain={() => queries.refetchQueries({ queryKey: ['flow/study', { id }] })}
    />
  )
}
