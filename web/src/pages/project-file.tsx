import type { Dataset } from '@neuroloom/contract/datasets'
import type { Run } from '@neuroloom/contract/runs'
import { isLearned } from '@neuroloom/contract/task'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { DatasetFiles } from '../features/datasets/dataset-files.tsx'
import { useNetworkName } from '../features/networks/network-name.ts'
import { RunFiles } from '../features/runs/run-files.tsx'
import { useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { ChooseProject } from './choose-project.tsx'

const parts = ['data', 'models', 'results'] as const
type Part = (typeof parts)[number]

/** `/projectFile?id=`: all files of a project: its data, its trained networks, its results. */
export function ProjectFile() {
  const [search] = useSearchParams()
  const id = search.get('id')
  const part = parts.find((one) => one === search.get('part')) ?? 'data'
  return <Page>{id ? <Files key={id} id={id} part={part} /> : <ChooseProject />}</Page>
}

function Files({ id, part }: { id: string; part: Part }) {
  const { t } = useTranslation('runs')
  const project = useCall('projects/detail', { id }, { quiet: true })
  if (project.isPending) return <Loading shape="page" />
  if (project.isError) return <ErrorState error={project.error} retry={() => void project.refetch()} />
  const address = `/projectFile?id=${encodeURIComponent(id)}`
  // Of 4D flow all that a run leaves are results.
  const isFlow = !isLearned(project.data.task)
  const shown = isFlow ? 'results' : part
  const tabs = parts.map((key) => ({
    key,
    label: t(`files.${key}`),
    to: key === 'data' ? address : `${address}&part=${key}`,
  }))
  return (
    <>
      <PageHeader
        title={t('files.title')}
        subtitle={project.data.name}
        name={`${t('files.title')} · ${project.data.name}`}
        back={{ to: `/projectDetail?id=${encodeURIComponent(id)}`, label: t('run.toProject') }}
      />
      {!isFlow && <TabLinks label={t('files.title')} tabs={tabs} current={shown} />}
      {shown === 'data' ? <Data projectId={id} /> : <Kept projectId={id} part={shown} />}
    </>
  )
}

function Data({ projectId }: { projectId: string }) {
  const { t } = useTranslation('runs')
  const query = useCall('datasets/list', { projectId }, { quiet: true })
  const [chosen, setChosen] = useState<string | null>(null)
  if (query.isPending) return <Loading shape="cards" count={8} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { datasets } = query.data
  const dataset: Dataset | undefined = datasets.find(({ id }) => id === chosen) ?? datasets[0]
  if (!dataset) return <Nothing projectId={projectId} text={t('project.noData')} />
  return <DatasetFiles datasets={datasets} dataset={dataset} onChoose={setChosen} />
}

/** Trainings with their networks, or tests with their tables and masks. */
function Kept({ projectId, part }: { projectId: string; part: 'models' | 'results' }) {
  const { t } = useTranslation('runs')
  const networkName = useNetworkName()
  const query = useCall('runs/list', { projectId }, { quiet: true })
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const kinds = part === 'models' ? networkFiles : resultFiles
  const runs = query.data.runs.filter(({ artifacts }) => artifacts.some(({ kind }) => kinds.includes(kind)))
  if (runs.length === 0) return <Nothing projectId={projectId} text={t(`files.none.${part}`)} />
  return <RunFiles runs={runs} kinds={kinds} networkName={networkName} />
}

type Kind = Run['artifacts'][number]['kind']
const networkFiles: readonly Kind[] = ['onnx', 'torchscript', 'weights']
const resultFiles: readonly Kind[] = [
  ...(['predictions_csv', 'masks_zip', 'boxes_json', 'images_zip'] as const),
  ...(['flow_study', 'flow_lines', 'flow_numbers', 'flow_mask', 'flow_angiogram'] as const),
]

function Nothing({ projectId, text }: { projectId: string; text: string }) {
  const { t } = useTranslation('runs')
  return (
    <EmptyState
      title={text}
      action={<Link to={`/projectDetail?id=${encodeURIComponent(projectId)}`}>{t('run.toProject')}</Link>}
    />
  )
}
