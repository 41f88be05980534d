import { EditOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import type { Project } from '@neuroloom/contract/projects'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { NetworkChoice } from '../features/networks/network-choice.tsx'
import { useNetworkName } from '../features/networks/network-name.ts'
import { RenameProjectDialog } from '../features/projects/rename-project-dialog.tsx'
import { canTrainOn, type Journey, journeyOf } from '../features/runs/journey.ts'
import { RunList } from '../features/runs/run-list.tsx'
import { StepSection, type StepState, scrollToStep } from '../features/runs/step-section.tsx'
import { TrainPanel } from '../features/runs/train-panel.tsx'
import { useLive } from '../lib/live.ts'
import { useCall } from '../lib/query.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import styles from './project-detail.module.css'
import { ProjectData } from './project-detail-data.tsx'

/** `/projectDetail?id=`: from data over training to results, with the next thing to do standing out. */
export function ProjectDetail() {
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  const project = useCall('projects/detail', { id }, { quiet: true })
  const datasets = useCall('datasets/list', { projectId: id }, { enabled: project.isSuccess })
  useLive(project.isSuccess ? { kind: 'project', id } : null, {
    refresh: ['projects/detail', 'datasets/list', 'runs/list'],
  })
  const error = project.error ?? datasets.error
  if (error && !(project.data && datasets.data)) {
    return (
      <Page>
        <ErrorState error={error} retry={() => void (project.error ? project : datasets).refetch()} />
      </Page>
    )
  }
  return (
    <Page>
      {project.data && datasets.data ? (
        <Steps project={project.data} datasets={datasets.data.datasets} />
      ) : (
        <Loading shape="page" />
      )}
    </Page>
  )
}

function Steps({ project, datasets }: { project: Project; datasets: readonly Dataset[] }) {
  const { t } = useTranslation('runs')
  const [renaming, setRenaming] = useState(false)
  const networkName = useNetworkName()
  const runs = useCall('runs/list', { projectId: project.id })
  const journey = journeyOf(datasets, runs.data?.runs ?? [])
  const steps = stepStates(journey)
  return (
    <>
      <PageHeader
        title={project.name}
        subtitle={project.description || t(`project.task.${project.task}`)}
        back={{ to: '/projectHome', label: t('project.toProjects') }}
        actions={
          <Button icon={<EditOutlined />} onClick={() => setRenaming(true)}>
            {t('project.rename')}
          </Button>
        }
      />
      <RenameProjectDialog project={project} open={renaming} onClose={() => setRenaming(false)} />
      <ProjectData project={project} datasets={datasets} state={steps.data} />
      <StepSection number={2} title={t('project.train')} state={steps.train}>
        <TrainStep project={project} datasets={datasets} journey={journey} networkName={networkName} />
      </StepSection>
      <StepSection number={3} title={t('project.results')} state={steps.results}>
        <RunList
          projectId={project.id}
          networkName={networkName}
          empty={<p className={styles.quiet}>{t('project.noResults')}</p>}
        />
      </StepSection>
    </>
  )
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
  const canTrain = datasets.some(canTrainOn)
  if (open && canTrain) {
    return (
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
    )
  }
  return (
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
  )
}

function stepStates(journey: Journey): Record<'data' | 'train' | 'results', StepState> {
  switch (journey) {
    case 'add_data':
    case 'checking_data':
    case 'repair_data':
      return { data: 'next', train: 'later', results: 'later' }
    case 'train':
      return { data: 'done', train: 'next', results: 'later' }
    case 'follow':
    case 'read_result':
      return { data: 'done', train: 'done', results: 'next' }
  }
}
