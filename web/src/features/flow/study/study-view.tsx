import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useLive } from '../../../lib/live.ts'
import { useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { projectAddress, studiesAddress } from '../address.ts'
import flow from '../flow.module.css'
import { LearnedMark } from '../learned/learned.tsx'
import { ResearchNote } from '../research-note.tsx'
import { StudyMark } from '../studies/study-mark.tsx'
import { StudyMenu } from '../studies/study-menu.tsx'
import { FailedStudy } from './failed-study.tsx'
import { NothingFound } from './nothing-found.tsx'
import { ReadyStudy } from './ready-study.tsx'
import { UnderWay } from './under-way.tsx'

// Who looks at a study needs no table of its files, and the other way round.
const ComputeInProject = lazyPart(
  async () => (await import('../project/compute-in-project.tsx')).ComputeInProject,
)
const SettleForm = lazyPart(async () => (await import('../settle/settle-form.tsx')).SettleForm)

/** One study, from the look at its files to the flow in it; back and on to the project that it was come from. */
export function StudyView({ id, projectId }: { id: string; projectId: string | null }) {
  const { t } = useTranslation(['flow', 'flow-project'])
  const navigate = useNavigate()
  const user = useUser()
  // What the project lists is what a run is computed of: it must know that the study is ready.
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['flow/study', 'flow/projectStudies'] })
  const query = useCall('flow/study', { id }, { quiet: true })
  const back =
    projectId === null
      ? { to: studiesAddress, label: t('toStudies') }
      : { to: projectAddress(projectId), label: t('flow-project:toProject') }
  if (!query.data)
    return (
      <Page>
        <PageHeader title={t('title')} back={back} />
        {query.isError ? (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading shape="rows" count={4} />
        )}
      </Page>
    )
  const study = query.data
  return (
    <Page>
      <PageHeader
        title={study.name}
        subtitle={<ResearchNote />}
        back={back}
        actions={
          <>
            {study.source === 'sharpened' && (
              <LearnedMark {...(study.head?.sharpened && { factor: study.head.sharpened.factor })} />
            )}
            <StudyMark state={study.state} />
            {study.state === 'ready' && (
              <Suspense fallback={null}>
                <ComputeInProject study={study} projectId={projectId} />
              </Suspense>
            )}
            <StudyMenu study={study} onGone={() => void navigate(studiesAddress, { replace: true })} />
          </>
        }
      />
      <div className={flow.stack}>
        <ByState study={study} />
      </div>
    </Page>
  )
}

function ByState({ study }: { study: FlowDetail }) {
  const [isAnew, setAnew] = useState(false)
  const { state, look } = study
  const canSettle = look !== null && study.phantom === null
  if (state === 'asked' && look?.series.length === 0) return <NothingFound look={look} />
  const anew = canSettle ? { onAnew: () => setAnew(true) } : {}
  if (look && canSettle && (state === 'asked' || (isAnew && (state === 'ready' || state === 'failed'))))
    return (
      <Suspense fallback={<Loading shape="rows" count={4} />}>
        <SettleForm
          study={study}
          look={look}
          {...(state === 'asked' ? {} : { onClose: () => setAnew(false) })}
        />
      </Suspense>
    )
  switch (state) {
    case 'looking':
    case 'making':
      return <UnderWay study={study} state={state} />
    case 'failed':
      return <FailedStudy study={study} {...anew} />
    case 'ready':
      return <ReadyStudy study={study} {...anew} />
    // Asked, but what was looked at is not there: files are looked at once more.
    case 'asked':
      return <UnderWay study={study} state="looking" />
  }
}
