import { isLearnedRun } from '@neuroloom/contract/flow/learned-run'
import { isOpen } from '@neuroloom/contract/run-states'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { ToRuns } from '../features/runs/to-runs.tsx'
import { fetchNetwork } from '../features/try/fetched-network.ts'
import { Try } from '../features/try/try.tsx'
import { useClassName } from '../lib/class-name.ts'
import { useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'

/** `/try?run=`: a trained network at work on one's own picture, in this browser alone. */
export function TryPage() {
  const [search] = useSearchParams()
  const id = search.get('run')
  return <Page>{id ? <OfRun key={id} id={id} /> : <NoRun />}</Page>
}

function NoRun() {
  const { t } = useTranslation('try')
  return (
    <>
      <PageHeader title={t('title')} />
      <Missing name="noRun" />
    </>
  )
}

function OfRun({ id }: { id: string }) {
  const { t } = useTranslation('try')
  const query = useCall('runs/detail', { id }, { quiet: true, staleTime: Number.POSITIVE_INFINITY })
  const run = query.data?.run
  const project = useCall('projects/detail', { id: run?.projectId ?? '' }, { enabled: !!run, quiet: true })
  if (query.isError && !run) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!run) return <Loading shape="page" />
  return (
    <>
      <PageHeader
        title={t('title')}
        subtitle={t('subtitle', { project: project.data?.name ?? '…', number: run.number })}
        back={{ to: `/run?id=${run.parentId ?? run.id}`, label: t('back') }}
      />
      {isLearnedRun(run) ? <Network run={run} /> : <Missing name="noTraining" />}
    </>
  )
}

function Network({ run }: { run: LearnedRun }) {
  const { t } = useTranslation('try')
  const className = useClassName(run.task)
  const sha256 = run.artifacts.find(({ kind }) => kind === 'onnx')?.sha256
  const load = useCallback(
    (onShare: (share: number) => void) => fetchNetwork({ id: run.id, sha256: sha256 ?? '' }, onShare),
    [run.id, sha256],
  )
  if (run.kind === 'test') return <Missing name="noTraining" />
  if (run.task === 'volume_segmentation') return <Missing name="volume" />
  if (isOpen(run)) return <Missing name="notTrained" />
  if (sha256 === undefined) return <Missing name="noFile" />
  return (
    <Try load={load} className={className} remedy={<Link to={`/run?id=${run.id}`}>{t('toTest')}</Link>} />
  )
}

function Missing({ name }: { name: 'noRun' | 'noTraining' | 'notTrained' | 'noFile' | 'volume' }) {
  const { t } = useTranslation('try')
  return (
    <EmptyState title={t(`missing.${name}.title`)} text={t(`missing.${name}.text`)} action={<ToRuns />} />
  )
}
