import { FileTextOutlined } from '@ant-design/icons'
import { type Display, displaysOf } from '@neuroloom/contract/displays'
import type { Access } from '@neuroloom/contract/files'
import { isLearnedRun } from '@neuroloom/contract/flow/learned-run'
import { shareOf } from '@neuroloom/contract/run-progress'
import type { LearnedRun, Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useNetworkName } from '../features/networks/network-name.ts'
import type { Detail } from '../features/runs/apply-event.ts'
import { RunList } from '../features/runs/run-list.tsx'
import { RunNotices } from '../features/runs/run-notices.tsx'
import { runStateText } from '../features/runs/run-state-tag.tsx'
import { RunFacts, RunStatus, RunStrip } from '../features/runs/run-status.tsx'
import { TestView, TrainingView } from '../features/runs/run-view.tsx'
import { useRun } from '../features/runs/use-run.ts'
import { formatPercent } from '../lib/format.ts'
import { useAllPages, useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import styles from './run.module.css'

/** Shown when a training has ended; the page need not wait for it. */
const TryLink = lazyPart(async () => (await import('../features/try/try-link.tsx')).TryLink)
const PredictStep = lazyPart(async () => (await import('./run-predict.tsx')).PredictStep)
const PredictView = lazyPart(
  async () => (await import('../features/runs/predict/predict-view.tsx')).PredictView,
)

const FlowRunPart = lazyPart(async () => (await import('./run-flow.tsx')).FlowRunPart)
const FlowTrainPart = lazyPart(async () => (await import('./run-flow-train.tsx')).FlowTrainPart)

const ResultDialog = lazyPart(
  async () => (await import('../features/files/viewer/result-dialog.tsx')).ResultDialog,
)

/** `/run?id=`: one training, test or prediction, live; with `item`, one of its images in the viewer. `/run`: all of them. */
export function RunPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return <Page>{id ? <OneRun key={id} id={id} /> : <AllRuns />}</Page>
}

function OneRun({ id }: { id: string }) {
  const { t } = useTranslation('runs')
  const networkName = useNetworkName()
  const { query, warnings } = useRun(id)
  const run = query.data?.run
  const project = useCall('projects/detail', { id: run?.projectId ?? '' }, { enabled: !!run, quiet: true })
  const access = project.data?.access ?? 'view'
  if (query.isError && !query.data) {
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  }
  if (!query.data || !run) return <Loading shape="page" />

  const every: readonly Display[] = displaysOf[run.task]
  // Until the project is known nothing is shown that it may have left out.
  const displays = project.isPending ? [] : (project.data?.displays ?? every)
  const title = t(`list.${run.kind}`, { number: run.number })
  const isCounting = run.state === 'running' && !run.stopping && !run.pausing && run.progress !== null
  return (
    <>
      <PageHeader
        title={title}
        // In the browser's tab one sees how far it is while working elsewhere.
        name={`${isCounting ? formatPercent(shareOf(run.progress), 0) : runStateText(run, t)} · ${title}`}
        subtitle={project.data?.name ?? ''}
        back={{ to: `/projectDetail?id=${run.projectId}`, label: t('run.toProject') }}
        actions={<Actions run={run} />}
      />
      <div className={styles.sections}>
        <RunNotices run={run} warnings={warnings} />
        {isLearnedRun(run) && run.kind === 'train' ? null : (
          <RunStatus run={run} networkName={networkName(run.network)} mayStop={access !== 'view'} />
        )}
        {isLearnedRun(run) ? (
          <Learned detail={{ ...query.data, run }} displays={displays} access={access} />
        ) : (
          <Suspense fallback={<Loading shape="rows" count={4} />}>
            {run.kind === 'flow' ? (
              <FlowRunPart run={run} access={access} displays={displays} />
            ) : (
              <FlowTrainPart detail={query.data} />
            )}
          </Suspense>
        )}
      </div>
      <Looked runId={run.id} />
    </>
  )
}

function Actions({ run }: { run: Run }) {
  const isDone = run.state === 'done'
  if ((run.kind === 'test' || run.kind === 'flow') && isDone) return <ReportLink id={run.id} />
  if (!isLearnedRun(run)) return null
  return (
    <>
      <CrossReportLink run={run} />
      <Suspense fallback={null}>
        <TryLink run={run} />
      </Suspense>
    </>
  )
}

type LearnedProps = {
  detail: Detail & { run: LearnedRun }
  displays: readonly Display[]
  access: Access
}

/** A training with its tests and the way to new pictures, or what a trained network says. */
function Learned({ detail, displays, access }: LearnedProps) {
  const { t } = useTranslation('runs')
  const networkName = useNetworkName()
  const { run } = detail
  if (run.kind !== 'train') return <Answers run={run} displays={displays} />
  const status = { run, networkName: networkName(run.network), mayStop: access !== 'view' }
  return (
    <TrainingView
      detail={detail}
      displays={displays}
      mayTest={access !== 'view'}
      status={<RunStrip {...status} />}
      facts={<RunFacts {...status} />}
      tests={
        <RunList
          projectId={run.projectId}
          parentId={run.id}
          kind="test"
          mayRemove={access === 'own'}
          networkName={networkName}
          empty={<p className={styles.quiet}>{t('test.none')}</p>}
        />
      }
      predict={
        <Suspense fallback={<Loading count={1} />}>
          <PredictStep run={run} access={access} />
        </Suspense>
      }
    />
  )
}

/** An image of the run in the viewer, as long as the address names one. */
function Looked({ runId }: { runId: string }) {
  const [search, setSearch] = useSearchParams()
  const itemId = search.get('item')
  if (itemId === null) return null
  return (
    <Suspense fallback={null}>
      <ResultDialog key={itemId} runId={runId} itemId={itemId} onClose={() => setSearch({ id: runId })} />
    </Suspense>
  )
}

/** What a trained network says: of a test with what is true, of new pictures alone. */
function Answers({ run, displays }: { run: LearnedRun; displays: readonly Display[] }) {
  if (run.kind === 'test') return <TestView run={run} displays={displays} />
  return (
    <Suspense fallback={<Loading shape="cards" />}>
      <PredictView run={run} />
    </Suspense>
  )
}

/** A cross-validation has a report once all its images were tested. */
function CrossReportLink({ run }: { run: LearnedRun }) {
  const isCross = run.kind === 'train' && run.state === 'done' && run.validation.method === 'kfold'
  const { data } = useCall('runs/evidence', { id: run.id }, { enabled: isCross, quiet: true })
  return isCross && data?.evidence ? <ReportLink id={run.id} /> : null
}

function ReportLink({ id }: { id: string }) {
  const { t } = useTranslation('reports')
  const navigate = useNavigate()
  return (
    <Button icon={<FileTextOutlined aria-hidden />} onClick={() => navigate(`/report?id=${id}`)}>
      {t('open')}
    </Button>
  )
}

function AllRuns() {
  const { t } = useTranslation('runs')
  const networkName = useNetworkName()
  const projects = useAllPages('projects/list', {})
  const projectName = (id: string) =>
    projects.data?.pages.flatMap((page) => page.projects).find((project) => project.id === id)?.name ?? null
  return (
    <>
      <PageHeader title={t('list.title')} subtitle={t('list.subtitle')} />
      <div className={styles.panel}>
        <RunList
          projectId={null}
          isOverview
          networkName={networkName}
          projectName={projectName}
          empty={
            <EmptyState
              title={t('list.emptyTitle')}
              text={t('list.emptyText')}
              action={<Link to="/projectHome">{t('list.emptyAction')}</Link>}
            />
          }
        />
      </div>
    </>
  )
}
