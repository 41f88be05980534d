import type { Display } from '@neuroloom/contract/displays'
import type { FlowResults } from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { client } from '@neuroloom/contract/limits'
import type { Run } from '@neuroloom/contract/runs'
import { useQueryClient } from '@tanstack/react-query'
import { Alert } from 'antd'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { refreshPaths, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { LearnedNote } from '../learned/learned.tsx'
import { ResearchNote } from '../research-note.tsx'
import { AskedPanel } from './asked-panel.tsx'
import { CloudCopies } from './cloud-copies.tsx'
import { DirectionsNotice } from './directions.tsx'
import { FiguresPanel } from './figures-panel.tsx'
import { NumbersPanel } from './numbers-panel.tsx'
import { PlanesPanel } from './planes-panel.tsx'
import { StepsPanel } from './steps-panel.tsx'
import { TrustPanel } from './trust-panel.tsx'
import { useKeepSections } from './use-keep-sections.ts'

/** For whoever wants it. */
const FinerPanel = lazyPart(async () => (await import('../sharpen/finer-panel.tsx')).FinerPanel)
const RunViewer = lazyPart(async () => (await import('./run-viewer.tsx')).RunViewer)

type Props = {
  run: Pick<Run, 'id' | 'state'>
  mayChange: boolean
  displays: readonly Display[]
  /** A button a file; pages hand it in, because features do not know each other. */
  downloads: ReactNode
}

/** A flow run: what was asked, and once it is done whether to trust it, the flow itself, and all numbers. */
export function FlowRunView({ run, mayChange, displays, downloads }: Props) {
  const query = useFlowRun(run)
  if (query.isError && !query.data)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading shape="rows" count={4} />
  const detail = query.data
  const { results } = detail
  return (
    <>
      {results !== null && <Results {...{ detail, results, mayChange, displays }} downloads={downloads} />}
      <AskedPanel detail={detail} mayChange={mayChange} />
      <ResearchNote />
    </>
  )
}

/** Asked once more when the run moves on, and while its planes are being measured. */
function useFlowRun({ id, state }: Props['run']) {
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state of the run has its own answer
  useEffect(() => refreshPaths(queries, ['flow/run']), [queries, state])
  return useCall(
    'flow/run',
    { id },
    { quiet: true, refetchInterval: ({ state: { data } }) => (data?.isMeasuring ? client.pollMs : false) },
  )
}

type ResultsProps = Omit<Props, 'run'> & { detail: FlowRunDetail; results: FlowResults }

function Results({ detail, results, mayChange, displays, downloads }: ResultsProps) {
  const { t } = useTranslation('flow-run')
  const { saving, keep } = useKeepSections(detail.run.id)
  return (
    <>
      {detail.study.head.sharpened && <LearnedNote sharpened={detail.study.head.sharpened} />}
      <DirectionsNotice detail={detail} mayChange={mayChange} />
      {detail.study.head.frames === 1 && (
        <Alert type="info" showIcon title={t('moment.title')} description={t('moment.text')} />
      )}
      <TrustPanel lights={results.lights} />
      <Panel
        title={t('viewer.title')}
        extra={
          detail.study.head.frames > 1 && (
            <Link to={`/compare?flow=${encodeURIComponent(detail.run.id)}`}>{t('viewer.moments')}</Link>
          )
        }
      >
        <Suspense fallback={<Loading shape="rows" count={4} />}>
          {/* It begins with what the project shows: that has to be known. */}
          {displays.length > 0 && <RunViewer {...{ detail, displays, mayChange }} onKeepSections={keep} />}
        </Suspense>
      </Panel>
      <PlanesPanel detail={detail} mayChange={mayChange} saving={saving} onMeasureAgain={keep} />
      <NumbersPanel results={results} head={detail.study.head} />
      <StepsPanel results={results} />
      <FiguresPanel detail={detail} mayChange={mayChange} />
      <Suspense fallback={<Loading shape="rows" count={2} />}>
        <FinerPanel detail={detail} mayChange={mayChange} />
      </Suspense>
      <Panel title={t('downloads.title')}>
        {downloads}
        <CloudCopies detail={detail} />
      </Panel>
    </>
  )
}
