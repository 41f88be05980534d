import type { Display } from '@neuroloom/contract/displays'
import { isOpen } from '@neuroloom/contract/run-states'
import type { LearnedRun } from '@neuroloom/contract/runs'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../lib/query.ts'
import { Panel } from '../../ui/page.tsx'
import type { Detail } from './apply-event.ts'
import { Downloads } from './downloads.tsx'
import { decisionColumns } from './evidence/decision-columns.ts'
import { EvidencePanels } from './evidence/evidence-panels.tsx'
import { ConfusionMatrix } from './results/confusion-matrix.tsx'
import { Curves } from './results/curves.tsx'
import { ItemGallery } from './results/item-gallery.tsx'
import { MetricsTable } from './results/metrics-table.tsx'
import { ResultItems } from './results/result-items.tsx'
import { Score } from './results/score.tsx'
import styles from './run.module.css'
import { TestPanel } from './test-panel.tsx'

type Props = {
  detail: Detail & { run: LearnedRun }
  /** The ways in which the project shows results. */
  displays: readonly Display[]
  mayTest: boolean
  tests: ReactNode
  /** The way to new pictures. */
  predict: ReactNode
}

/** A training: while it learns its curves and predictions first, then its result and the way to a test. */
export function TrainingView({ detail, displays, mayTest, tests, predict }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const { run } = detail
  const hasResult = Object.keys(run.metrics).length > 0
  if (isOpen(run)) {
    return (
      <>
        <Learning detail={detail} />
        {hasResult ? <ResultPanel run={run} title={t('result.soFar')} /> : null}
      </>
    )
  }
  const canTest = run.artifacts.some(({ kind }) => kind === 'weights')
  return (
    <>
      {hasResult ? <ResultPanel run={run} title={t('result.training')} /> : null}
      {canTest ? (
        <Panel title={t('test.title')}>
          {mayTest ? <TestPanel run={run} /> : null}
          <h3 className={styles.past}>{t('test.past')}</h3>
          {tests}
        </Panel>
      ) : null}
      {canTest ? predict : null}
      <Learning detail={detail} />
      <ByClass run={run} displays={displays} />
      {run.validation.method === 'kfold' ? <EvidencePanels run={run} /> : null}
      <DownloadPanel run={run} />
    </>
  )
}

function Learning({ detail: { run, curves, preview } }: Pick<Props, 'detail'>) {
  const { t } = useTranslation(['runs', 'results'])
  const hasBegun = run.state === 'running' || curves.length > 0
  return (
    <>
      {hasBegun ? (
        <Panel title={t('results:curves.title')}>
          <Curves run={run} curves={curves} />
        </Panel>
      ) : null}
      {preview && preview.items.length > 0 ? (
        <Panel
          title={t('results:preview.title')}
          extra={
            <span className={styles.source}>{t('results:curves.epoch', { number: preview.epoch })}</span>
          }
        >
          <p className={styles.panelLead}>{t(`results:preview.${run.task}`)}</p>
          <ItemGallery items={preview.items} run={run} />
        </Panel>
      ) : null}
    </>
  )
}

/** Ways of showing results picture by picture. */
const pictured: ReadonlySet<Display> = new Set(['labelled_pictures', 'outlines', 'boxes', 'comparison'])

/** A test: the figures, where they come from, and the pictures that went worst. */
export function TestView({ run, displays }: { run: LearnedRun; displays: readonly Display[] }) {
  const { t } = useTranslation(['runs', 'results'])
  const hasPictures = displays.some((display) => pictured.has(display))
  if (run.state !== 'done') return null
  return (
    <>
      <ResultPanel run={run} title={t('result.test')} />
      <ByClass run={run} displays={displays} />
      <EvidencePanels run={run} />
      {hasPictures ? (
        <Panel title={t('results:items.title', { context: run.task })}>
          <ResultItems run={run} />
        </Panel>
      ) : null}
      <DownloadPanel run={run} />
    </>
  )
}

function ResultPanel({ run, title }: { run: LearnedRun; title: string }) {
  const { t } = useTranslation(['runs', 'results'])
  const training = run.kind === 'test' ? run.parentId : null
  return (
    <Panel
      title={title}
      extra={training ? <Link to={`/run?id=${training}`}>{t('result.toTraining')}</Link> : null}
    >
      <Score run={run} />
    </Panel>
  )
}

function ByClass({ run, displays }: { run: LearnedRun; displays: readonly Display[] }) {
  const { t } = useTranslation(['runs', 'results'])
  const hasEvidence = run.kind === 'test' || run.validation.method === 'kfold'
  const { data, isFetching } = useCall('runs/evidence', { id: run.id }, { enabled: hasEvidence, quiet: true })
  const decisions = data?.evidence?.decisions ?? []
  if (run.perClass.length === 0) return null
  return (
    <>
      {run.confusion && displays.includes('confusion_matrix') ? (
        <Panel title={t('results:confusion.title')}>
          <ConfusionMatrix classes={run.classes} counts={run.confusion} />
        </Panel>
      ) : null}
      {displays.includes('per_class_table') && (data || !isFetching) ? (
        <Panel title={t('result.perClass')}>
          <MetricsTable run={run} leftOut={decisionColumns(run.perClass, decisions)} />
        </Panel>
      ) : null}
    </>
  )
}

function DownloadPanel({ run }: { run: LearnedRun }) {
  const { t } = useTranslation(['runs', 'results'])
  if (run.artifacts.length === 0) return null
  return (
    <Panel title={t('results:artifact.title')}>
      <Downloads run={run} />
    </Panel>
  )
}
