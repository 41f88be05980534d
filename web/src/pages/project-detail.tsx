import { FolderOpenOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import type { Project } from '@neuroloom/contract/projects'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { NetworkChoice } from '../features/networks/network-choice.tsx'
import { useNetworkName } from '../features/networks/network-name.ts'
import { DisplayChoice } from '../features/projects/display-choice.tsx'
import { ProjectCounts } from '../features/projects/project-counts.tsx'
import { ProjectMarks } from '../features/projects/project-marks.tsx'
import { ProjectMenu } from '../features/projects/project-menu.tsx'
import { isTrainSet, type Journey, journeyOf } from '../features/runs/journey.ts'
import { RunList } from '../features/runs/run-list.tsx'
import { StepSection, type StepState, scrollToStep } from '../features/runs/train/step-section.tsx'
import { leftAt } from '../lib/last-tab.ts'
import { useLive } from '../lib/live.ts'
import { useCall } from '../lib/query.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { SharedFull } from '../ui/share/shared-count.tsx'
import { ChooseProject } from './choose-project.tsx'
import styles from './project-detail.module.css'
import { ProjectData } from './project-detail-data.tsx'

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
  const datasets = useCall('datasets/list', { projectId: id }, { enabled: project.isSuccess })
  useLive(project.isSuccess ? { kind: 'project', id } : null, {
    refresh: ['projects/detail', 'datasets/list', 'runs/list'],
  })
  const error = project.error ?? datasets.error
  if (error && !(project.data && datasets.data)) {
    return <ErrorState error={error} retry={() => void (project.error ? project : datasets).refetch()} />
  }
  if (!project.data || !datasets.data) return <Loading shape="page" />
  return <Steps project={project.data} datasets={datasets.data.datasets} />
}

function Steps({ project, datasets }: { project: Project; datasets: readonly Dataset[] }) {
  const { t } = useTranslation(['runs', 'reports'])
  const networkName = useNetworkName()
  const runs = useCall('runs/list', { projectId: project.id })
  const journey = journeyOf(datasets, runs.data?.runs ?? [])
  const mayTrain = project.access !== 'view'
  // Where nothing is to be done, nothing is next.
  const steps = mayTrain ? stepStates(journey) : seen
  return (
    <>
      <Header project={project} />
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

function Header({ project }: { project: Project }) {
  const { t } = useTranslation(['runs', 'projects', 'tasks'])
  const navigate = useNavigate()
  const { id, name, description, task, access, owner, shareId } = project
  return (
    <PageHeader
      title={name}
      subtitle={
        <>
          <p>{description || t(`tasks:sentence.${task}`)}</p>
          <div className={styles.marks}>
            <ProjectMarks project={project} />
          </div>
          {access === 'own' ? null : (
            <p className={styles.note}>
              {t(`projects:access.${shareId === null ? 'public' : access}`, { name: owner })}
            </p>
          )}
        </>
      }
      name={name}
      back={{ to: leftAt('/projectHome'), label: t('project.toProjects') }}
      actions={
        <>
          <Link to={`/projectFile?id=${encodeURIComponent(id)}`}>
            <FolderOpenOutlined aria-hidden /> {t('project.toFiles')}
          </Link>
          <ProjectMenu project={project} isOnPage onGone={() => void navigate(leftAt('/projectHome'))} />
        </>
      }
    />
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
    }
  }
}

type TrainStepProps = {
  project: Project
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
      {project.access === 'own' && project.visibility !== 'private' && <SharedFull kind="models" />}
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
