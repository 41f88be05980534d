import type { Project } from '@neuroloom/contract/projects'
import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { computeAddress, projectAddress, runAddress } from '../features/flow/address.ts'
import { ProjectStudies } from '../features/flow/project/project-studies.tsx'
import type { ProjectStudy } from '../features/flow/project/study-row.tsx'
import { ResearchNote } from '../features/flow/research-note.tsx'
import { DisplayChoice } from '../features/projects/display-choice.tsx'
import { type Counted, ProjectCounts } from '../features/projects/project-counts.tsx'
import { RunList } from '../features/runs/run-list.tsx'
import { StepBar } from '../features/runs/train/step-bar.tsx'
import { StepSection, type StepState } from '../features/runs/train/step-section.tsx'
import { useLive } from '../lib/live.ts'
import { useCall } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { FlowPicker } from './flow-picker.tsx'
import styles from './project-detail.module.css'
import { ProjectHeader } from './project-header.tsx'

/** For whoever wants it. */
const SharpenStep = lazyPart(async () => (await import('./project-detail-sharpen.tsx')).SharpenStep)

/** A project of 4D flow: its studies, what was computed on them, and how it is shown. */
export function FlowProject({ project }: { project: Project }) {
  const { t } = useTranslation(['flow-project', 'runs'])
  const user = useUser()
  // A study under way tells its owner.
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['flow/projectStudies'] })
  const studies = useCall('flow/projectStudies', { projectId: project.id }, { quiet: true })
  const runs = useCall('runs/list', { projectId: project.id }, { quiet: true })
  if (studies.error && !studies.data)
    return <ErrorState error={studies.error} retry={() => void studies.refetch()} />
  if (!studies.data) return <Loading shape="page" />
  const mayChange = project.access !== 'view'
  const flows = runs.data?.runs.filter(({ kind }) => kind === 'flow') ?? []
  const trainings = runs.data?.runs.filter(({ kind }) => kind === 'flow_train') ?? []
  const steps = mayChange ? stepsOf(studies.data.studies, flows) : seen
  return (
    <>
      <ProjectHeader project={project} />
      <ProjectCounts
        project={project}
        studies={studies.data.studies.length}
        addressOf={(counted) => `${projectAddress(project.id)}#${places[counted]}`}
      />
      <StepBar
        address={projectAddress(project.id)}
        isSticky
        steps={[
          { number: 1, title: t('studies.title'), state: steps.studies },
          { number: 2, title: t('runs.title'), state: steps.runs },
        ]}
        action={
          <NextAction
            projectId={project.id}
            study={mayChange ? studies.data.studies.find(({ state }) => state === 'ready') : undefined}
            runs={flows}
          />
        }
      />
      <StepSection number={1} title={t('studies.title')} state={steps.studies}>
        <ProjectStudies
          projectId={project.id}
          studies={studies.data.studies}
          missing={studies.data.missing}
          mayChange={mayChange}
          picker={FlowPicker}
        />
      </StepSection>
      <StepSection number={2} title={t('runs.title')} state={steps.runs}>
        <RunList
          projectId={project.id}
          kind="flow"
          networkName={() => ''}
          mayRemove={project.access === 'own'}
          empty={<p className={styles.quiet}>{t('runs.none')}</p>}
        />
        <DisplayChoice project={project} />
      </StepSection>
      <Suspense fallback={<Loading shape="rows" count={1} />}>
        <SharpenStep project={project} trainings={trainings} />
      </Suspense>
      <ResearchNote />
    </>
  )
}

type NextProps = { projectId: string; study: ProjectStudy | undefined; runs: readonly Run[] }

/** The one thing to do next: to follow a run, to read the latest, or to begin with the first study that is ready. */
function NextAction({ projectId, study, runs }: NextProps) {
  const { t } = useTranslation(['flow-project', 'runs'])
  const running = runs.find(isOpen)
  const run = running ?? runs.find(({ state }) => state === 'done')
  if (run)
    return (
      <ButtonLink to={runAddress(run.id)}>
        {t(running ? 'runs:project.bar.follow' : 'runs:project.bar.read')}
      </ButtonLink>
    )
  if (!study) return null
  return <ButtonLink to={computeAddress({ projectId, studyId: study.id })}>{t('studies.compute')}</ButtonLink>
}

/** Where each count leads on this page. */
const places: Partial<Record<Counted, string>> = { studies: 'step-1', runs: 'step-2', displays: 'displays' }

type Steps = Record<'studies' | 'runs', StepState>
const seen: Steps = { studies: 'done', runs: 'done' }

/** A study that is ready is computed in the first step; from then on runs are looked at. */
function stepsOf(studies: readonly ProjectStudy[], runs: readonly Run[]): Steps {
  const hasRuns = runs.some((run) => isOpen(run) || run.state === 'done')
  if (hasRuns) return { studies: studies.length > 0 ? 'done' : 'later', runs: 'next' }
  return { studies: 'next', runs: 'later' }
}
