import type { Dataset } from '@neuroloom/contract/datasets'
import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useNetworkName } from '../features/networks/network-name.ts'
import { DisplayChoice } from '../features/projects/display-choice.tsx'
import { isLearnedProject, type LearnedProject } from '../features/projects/learned-project.ts'
import { ProjectCounts } from '../features/projects/project-counts.tsx'
import { isTrainSet, type Journey, journeyOf } from '../features/runs/journey.ts'
import { RunList } from '../features/runs/run-list.tsx'
import { StepBar } from '../features/runs/train/step-bar.tsx'
import { StepSection, type StepState, scrollToStep } from '../features/runs/train/step-section.tsx'
import { useLive } from '../lib/live.ts'
import { useCall } from '../lib/query.ts'
import { ButtonLink } from '../ui/button.tsx'
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
  // What is next is known with both, and what stands above it with the third: a button that moves or gives way to
  // another one while it is being pressed would be missed.
  const runs = useCall('runs/list', { projectId: project.id })
  const isKnown = useIsSharedKnown()
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data || runs.isPending || !isKnown) return <Loading shape="page" />
  return <Steps project={project} datasets={data.datasets} runs={runs.data?.runs ?? []} />
}

/** Whether it can be said at once what others see already. Once it can, that stays: the page never gives way to waiting. */
function useIsSharedKnown(): boolean {
  const shared = useCall('plans/shared', {}, { quiet: true })
  const [hasCode, setHasCode] = useState(false)
  useEffect(() => {
    // What does not come is told in its place.
    void SharedFull.load()
      .catch(() => undefined)
      .then(() => setHasCode(true))
  }, [])
  return hasCode && !shared.isPending
}

type StepsProps = { project: LearnedProject; datasets: readonly Dataset[]; runs: readonly Run[] }

function Steps({ project, datasets, runs }: StepsProps) {
  const { t } = useTranslation(['runs', 'reports'])
  const networkName = useNetworkName()
  const journey = journeyOf(datasets, runs)
  const mayTrain = project.access !== 'view'
  // Where nothing is to be done, nothing is next.
  const steps = mayTrain ? stepStates(journey) : seen
  const [isTraining, setTraining] = useState(false)
  const canTrain = datasets.some(isTrainSet)
  const isChoosing = isTraining && canTrain
  return (
    <>
      <ProjectHeader project={project} />
      <ProjectCounts project={project} addressOf={addressesOf(project.id)} />
      <StepBar
        address={`/projectDetail?id=${encodeURIComponent(project.id)}`}
        isSticky={!isChoosing}
        steps={[
          { number: 1, title: t('project.data'), state: steps.data },
          ...(mayTrain ? [{ number: 2, title: t('project.train'), state: steps.train }] : []),
          { number: mayTrain ? 3 : 2, title: t('project.results'), state: steps.results },
        ]}
        action={
          isChoosing ? null : (
            <NextAction journey={journey} runs={runs} onTrain={mayTrain ? () => setTraining(true) : null} />
          )
        }
      />
      <ProjectData
        project={project}
        datasets={datasets}
        state={steps.data}
        isFolded={mayTrain && steps.results === 'next'}
      />
      {mayTrain ? (
        <StepSection number={2} title={t('project.train')} state={steps.train}>
          <TrainStep
            project={project}
            datasets={datasets}
            journey={journey}
            networkName={networkName}
            isOpen={isChoosing}
            onOpen={setTraining}
          />
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

type NextProps = {
  journey: Journey
  runs: readonly Run[]
  /** null for who may only look. */
  onTrain: (() => void) | null
}

/** The one thing to do next, where it is not in sight at the top of the page anyway. */
function NextAction({ journey, runs, onTrain }: NextProps) {
  const { t } = useTranslation('runs')
  const run = runs.find(journey === 'follow' ? isOpen : ({ state }) => state === 'done')
  if (journey === 'train') {
    return onTrain === null ? null : (
      <Button type="primary" size="large" onClick={onTrain}>
        {t('train.open')}
      </Button>
    )
  }
  if (!run || (journey !== 'follow' && journey !== 'read_result')) return null
  return (
    <ButtonLink to={`/run?id=${encodeURIComponent(run.id)}`}>
      {t(journey === 'follow' ? 'project.bar.follow' : 'project.bar.read')}
    </ButtonLink>
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
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

function TrainStep({ project, datasets, journey, networkName, isOpen, onOpen }: TrainStepProps) {
  const { t } = useTranslation('runs')
  const canTrain = datasets.some(isTrainSet)
  if (isOpen) {
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
            onOpen(false)
            scrollToStep(1)
          }}
          onClose={() => onOpen(false)}
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
        {/* The bar has it where it is next. */}
        {journey === 'train' ? null : (
          <Button size="large" disabled={!canTrain} onClick={() => onOpen(true)}>
            {t('train.open')}
          </Button>
        )}
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
