import type { Dataset } from '@neuroloom/contract/datasets'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useNetworkName } from '../features/networks/network-name.ts'
import { DisplayChoice } from '../features/projects/display-choice.tsx'
import { isLearnedProject, type LearnedProject } from '../features/projects/learned-project.ts'
import { ProjectCounts } from '../features/projects/project-counts.tsx'
import { isTrainSet, type Journey, journeyOf } from '../features/runs/journey.ts'
import { RunList } from '../features/runs/run-list.tsx'
import { StepSection, type StepState, scrollToStep } from '../features/runs/train/step-section.tsx'
import { useLive } from '../lib/live.ts'
import { useCall } from '../lib/query.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ChooseProject } from './choose-project.tsx'
import styles from './project-detail.module.css'
import { ProjectData, SharedFull, UsedLimit } from './project-detail-data.tsx'
import { ProjectHeader } from './project-header.tsx'

/** Of 4D flow. */
const FlowProject = lazyPart(async () => (await import('./project-detail-flow.tsx')).FlowProject)

const NetworkChoice = lazyPart(
  async () => (await import('../features/networks/network-choice.tsx')).NetworkChoice,
)

/** Opened by a press; without it the page is a fifth lighter. */
const TrainPanel = lazyPart(async () => (await import('../features/runs/train/train-panel.tsx')).TrainPanel)

/** `/projectDetail?id=`: from data over training to results, with the next thing to do standing out. */
export function ProjectDetail() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return <Page>{id ? <OneProject key={id} id={id} /> : <ChooseProject />}</Page>
}

function OneProject({ id }: { id: string }) {
  const project = useCall('projects/detail', { id }, { quiet: true })
  useLive(project.isSuccess ? { kind: 'project', id } : null, {
    refresh: ['projects/detail', 'datasets/list', 'runs/list', 'flow/projectStudies'],
  })
  if (project.error && !project.data) {
    return <ErrorState error={project.error} retry={() => void project.refetch()} />
  }
  if (!project.data) return <Loading shape="page" />
  if (isLearnedProject(project.data)) return <LearnedProjectSteps project={project.data} />
  return (
    <Suspense fallback={<Loading shape="page" />}>
      <FlowProject project={project.data} />
    </Suspense>
  )
}

function LearnedProjectSteps({ project }: { project: LearnedProject }) {
  const { data, error, refetch } = useCall('datasets/list', { projectId: project.id }, { quiet: true })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading shape="page" />
  return <Steps project={project} datasets={data.datasets} />
}

function Steps({ project, datasets }: { project: LearnedProject; datasets: readonly Dataset[] }) {
  const { t } = useTranslation(['runs', 'reports'])
  const networkName = useNetworkName()
  const runs = useCall('runs/list', { projectId: project.id })
  const journey = journeyOf(datasets, runs.data?.runs ?? [])
  const mayTrain = project.access !== 'view'
  // Where nothing is to be done, nothing is next.
  const steps = mayTrain ? stepStates(journey) : seen
  return (
    <>
      <ProjectHeader project={project} />
      <ProjectCounts project={project} addressOf={addressesOf(project.id)} />
      <ProjectData project={project} datasets={datasets} state={steps.data} />
      {mayTrain ? (
        <StepSection number={2} title={t('project.train')} state={steps.train}>
          <TrainStep project={project} datasets={datasets} journey={journey} networkName={networkName} />
        </StepSection>
      ) : null}
      <StepSection number={mayTrain ? 3 : 2} title={t('project.results')} state={steps.results}>
        <RunList
          projectId={project.id}
          networkName={networkName}
          mayRemove={project.access === 'own'}
          empty={<p className={styles.quiet}>{t('project.noResults')}</p>}
        />
        <DisplayChoice project={project} />
        {mayTrain ? (
          <p className={styles.study}>
            <Link to={`/report?project=${encodeURIComponent(project.id)}&ask=all`}>
              {t('reports:toStudy')}
            </Link>
          </p>
        ) : null}
      </StepSection>
    </>
  )
}

const seen = { data: 'done', train: 'done', results: 'done' } as const

/** Where each count of a project leads. */
function addressesOf(projectId: string): Parameters<typeof ProjectCounts>[0]['addressOf'] {
  const query = `?id=${encodeURIComponent(projectId)}`
  return (counted) => {
    switch (counted) {
      case 'files':
        return `/projectFile${query}`
      case 'models':
        return `/projectFile${query}&part=models`
      case 'reports':
        return `/projectFile${query}&part=results`
      case 'trainSets':
      case 'testSets':
        return `/projectDetail${query}#step-1`
      case 'displays':
        return `/projectDetail${query}#displays`
      // Of 4D flow alone.
      case 'studies':
      case 'runs':
        return `/projectDetail${query}`
    }
  }
}

type TrainStepProps = {
  project: LearnedProject
  datasets: readonly Dataset[]
  journey: Journey
  networkName: (network: string) => string
}

function TrainStep({ project, datasets, journey, networkName }: TrainStepProps) {
  const { t } = useTranslation('runs')
  const [open, setOpen] = useState(false)
  const canTrain = datasets.some(isTrainSet)
  if (open && canTrain) {
    return (
      <Suspense fallback={<Loading />}>
        {project.access === 'own' && (
          <div className={styles.room}>
            <UsedLimit name="trainedModels" />
          </div>
        )}
        <TrainPanel
          project={project}
          datasets={datasets}
          networks={(picker) => <NetworkChoice task={project.task} {...picker} />}
          networkName={networkName}
          onSupplement={() => {
            setOpen(false)
            scrollToStep(1)
          }}
          onClose={() => setOpen(false)}
        />
      </Suspense>
    )
  }
  return (
    <>
      {project.access === 'own' && project.visibility !== 'private' && (
        <Suspense fallback={null}>
          <SharedFull kind="models" />
        </Suspense>
      )}
      <div className={styles.trainClosed}>
        <p className={styles.quiet}>{t(`project.trainText.${journey}`)}</p>
        <Button
          type={journey === 'train' ? 'primary' : 'default'}
          size="large"
          disabled={!canTrain}
          onClick={() => setOpen(true)}
        >
          {t('train.open')}
        </Button>
      </div>
    </>
  )
}

function stepStates(journey: Journey): Record<'data' | 'train' | 'results', StepState> {
  switch (journey) {
    case 'add_data':
    case 'checking_data':
    case 'repair_data':
    case 'choose_train_set':
      return { data: 'next', train: 'later', results: 'later' }
    case 'train':
      return { data: 'done', train: 'next', results: 'later' }
    case 'follow':
    case 'read_result':
      return { data: 'done', train: 'done', results: 'next' }
  }
}
