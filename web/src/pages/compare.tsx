import type { ErrorName } from '@neuroloom/contract/errors'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useNetworkName } from '../features/networks/network-name.ts'
import { CompareChoice } from '../features/runs/compare/compare-choice.tsx'
import { CompareView } from '../features/runs/compare/compare-view.tsx'
import { ToRuns } from '../features/runs/to-runs.tsx'
import { CallError } from '../lib/api.ts'
import { useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader, Panel } from '../ui/page.tsx'
import styles from './run.module.css'

/** Of 4D flow. */
const FlowChoice = lazyPart(async () => (await import('./compare-flow.tsx')).FlowChoice)
const FlowMoments = lazyPart(async () => (await import('./compare-flow.tsx')).FlowMoments)
const FlowCompared = lazyPart(async () => (await import('./compare-flow.tsx')).FlowCompared)

/** `/compare?project=`: which tests. `/compare?runs=a,b`: those beside each other, the others against the first. `?flow=a,b`: of 4D flow; `?flow=a`: two moments of one. */
export function ComparePage() {
  const { t } = useTranslation('compare')
  const [search] = useSearchParams()
  const ids = (search.get('runs') ?? '').split(',').filter((id) => id !== '')
  const project = search.get('project')
  const [first, second] = (search.get('flow') ?? '').split(',')
  if (first)
    return (
      <Page>
        <Suspense fallback={<Loading shape="page" />}>
          {second ? (
            <FlowCompared key={`${first} ${second}`} ids={[first, second]} />
          ) : (
            <FlowMoments key={first} id={first} />
          )}
        </Suspense>
      </Page>
    )
  return (
    <Page>
      {ids.length > 0 ? <Compared key={ids.join()} ids={ids} /> : null}
      {ids.length === 0 && project ? <Choice project={project} /> : null}
      {ids.length === 0 && !project ? (
        <>
          <PageHeader title={t('title')} subtitle={t('lead')} />
          <EmptyState title={t('noneTitle')} text={t('noneText')} action={<ToRuns />} />
        </>
      ) : null}
    </Page>
  )
}

function Compared({ ids }: { ids: string[] }) {
  const { t } = useTranslation('compare')
  const networkName = useNetworkName()
  const { data, isError, error, refetch } = useCall('runs/compare', { ids }, { quiet: true })
  if (error instanceof CallError && isRefusal(error.name) && !data) {
    return <NotComparable firstId={ids[0] ?? ''} reason={error.message} />
  }
  if (isError && !data) {
    return (
      <>
        <PageHeader title={t('title')} subtitle={t('lead')} />
        <ErrorState error={error} retry={() => void refetch()} />
      </>
    )
  }
  if (!data) return <Loading shape="page" />
  return (
    <>
      <PageHeader
        title={t('title')}
        subtitle={data.datasetName}
        back={{ to: `/projectDetail?id=${data.projectId}`, label: t('toProject') }}
        actions={<Link to={`/compare?project=${data.projectId}`}>{t('again')}</Link>}
      />
      <div className={styles.sections}>
        <CompareView comparison={data} networkName={networkName} />
      </div>
    </>
  )
}

/** These tests cannot stand beside each other, however often one tries. */
const isRefusal = (name: ErrorName): boolean => name.startsWith('compare_')

function NotComparable({ firstId, reason }: { firstId: string; reason: string }) {
  const { t } = useTranslation('compare')
  const { data } = useCall('runs/detail', { id: firstId }, { quiet: true })
  const projectId = data?.run.projectId
  const back =
    projectId === undefined ? {} : { back: { to: `/projectDetail?id=${projectId}`, label: t('toProject') } }
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('lead')} {...back} />
      <EmptyState
        title={t('notComparable')}
        text={reason}
        action={
          projectId === undefined ? undefined : <Link to={`/compare?project=${projectId}`}>{t('again')}</Link>
        }
      />
    </>
  )
}

function Choice({ project }: { project: string }) {
  const { t } = useTranslation('compare')
  const navigate = useNavigate()
  const networkName = useNetworkName()
  const { data, isError, error, refetch } = useCall('runs/list', { projectId: project }, { quiet: true })
  if (isError && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading shape="page" />
  const flows = data.runs.filter(({ kind }) => kind === 'flow')
  if (flows.length > 0)
    return (
      <Suspense fallback={<Loading shape="page" />}>
        <FlowChoice projectId={project} runs={flows.filter(({ state }) => state === 'done')} />
      </Suspense>
    )
  const tests = data.runs.filter(({ kind, state }) => kind === 'test' && state === 'done')
  return (
    <>
      <PageHeader
        title={t('title')}
        subtitle={t('lead')}
        back={{ to: `/projectDetail?id=${project}`, label: t('toProject') }}
      />
      {tests.length < 2 ? (
        <EmptyState title={t('noneTitle')} text={t('tooFew')} />
      ) : (
        <Panel title={t('choose')}>
          <CompareChoice
            tests={tests}
            networkName={networkName}
            onCompare={(ids) => navigate(`/compare?runs=${ids.join(',')}`)}
          />
        </Panel>
      )}
    </>
  )
}
