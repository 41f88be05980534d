import type { Run } from '@neuroloom/contract/runs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { projectAddress } from '../address.ts'
import { ComputeForm, type ReadyStudy } from './compute-form.tsx'
import { correctedFor, type Draft, draftOf, startOf } from './draft.ts'
import type { MaskPicker } from './mask-part.tsx'

type Props = {
  projectId: string
  studyId: string | null
  /** Of a run to begin with; else the newest of the project. */
  runId: string | null
  picker: MaskPicker
  onStarted: (run: Run) => void
}

/** The form of a run, begun with what the last one of the project was asked. */
export function ComputeView({ projectId, studyId, runId, picker, onStarted }: Props) {
  const { t } = useTranslation('flow-project')
  const [chosen, setChosen] = useState(studyId)
  const studies = useCall('flow/projectStudies', { projectId }, { quiet: true })
  const ready = (studies.data?.studies ?? []).flatMap((one): ReadyStudy[] =>
    one.state === 'ready' && one.size !== null && one.frames !== null
      ? [{ ...one, size: one.size, frames: one.frames }]
      : [],
  )
  const study = ready.find(({ id }) => id === chosen) ?? ready[0]
  const begin = useBegin(projectId, { runId, study: study ?? null })
  if (studies.error && !studies.data)
    return <ErrorState error={studies.error} retry={() => void studies.refetch()} />
  if (!studies.data || begin === null) return <Loading shape="page" />
  if (!study)
    return (
      <EmptyState
        title={t('form.noStudy')}
        action={<Link to={projectAddress(projectId)}>{t('toProject')}</Link>}
      />
    )
  return (
    <ComputeForm
      projectId={projectId}
      studies={ready}
      study={study}
      onStudy={setChosen}
      begin={begin.draft}
      beginNumber={begin.number}
      picker={picker}
      onStarted={onStarted}
    />
  )
}

type Begin = { draft: Draft; number: number | null }

/** Null while it is looked up; a run that is gone is no reason to wait. */
function useBegin(
  projectId: string,
  { runId, study: wanted }: { runId: string | null; study: ReadyStudy | null },
): Begin | null {
  const runs = useCall('runs/list', { projectId }, { enabled: runId === null, quiet: true })
  const newest = runs.data?.runs.find(({ kind }) => kind === 'flow')?.id ?? null
  const from = runId ?? newest
  const past = useCall('flow/run', { id: from ?? '' }, { enabled: from !== null, quiet: true })
  if (runId === null && runs.isPending) return null
  const isSharpened = wanted?.source === 'sharpened'
  if (from === null || past.isError) return { draft: startOf(isSharpened), number: null }
  if (!past.data) return null
  const { asked, study, run } = past.data
  const draft = draftOf(asked, study.id !== null && study.id === wanted?.id)
  // Corrections of what was measured are none for what a network made of it, and the other way round.
  const isAlike = isSharpened === (study.head.sharpened !== undefined)
  return { draft: isAlike ? draft : correctedFor(draft, isSharpened), number: run.number }
}
