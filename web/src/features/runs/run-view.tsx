import type { Display } from '@neuroloom/contract/displays'
import { isOpen } from '@neuroloom/contract/run-states'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { Panel } from '../../ui/page.tsx'
import type { Detail } from './apply-event.ts'
import { Downloads } from './downloads.tsx'
import { EvidencePanels } from './evidence/evidence-panels.tsx'
import { cellOf, filterOf } from './results/cell-filter.ts'
import { ConfusionMatrix } from './results/confusion-matrix.tsx'
import { Curves } from './results/curves.tsx'
import { Film } from './results/film.tsx'
import { itemKind } from './results/item-kind.ts'
import { MetricsTable } from './results/metrics-table.tsx'
import { type ItemFilter, ResultItems } from './results/result-items.tsx'
import { Score } from './results/score.tsx'
import { TestHero } from './results/test-hero.tsx'
import styles from './run.module.css'
import { TestPanel } from './test-panel.tsx'

type Props = {
  detail: Detail & { run: LearnedRun }
  /** The ways in which the project shows results. */
  displays: readonly Display[]
  mayTest: boolean
  /** How far it is, in a line. */
  status: ReactNode
  /** What it works on. */
  facts: ReactNode
  tests: ReactNode
  /** The way to new pictures. */
  predict: ReactNode
}

/** A training: while it learns its images and curves, then its result and the way to a test; facts stand beside. */
export function TrainingView({ detail, displays, mayTest, status, facts, tests, predict }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const { run } = detail
  const [filter, setFilter] = useState<ItemFilter | null>(null)
  const cross = useCross(run, displays)
  const hasResult = Object.keys(run.metrics).length > 0
  if (isOpen(run)) {
    return (
      <div className={styles.columns} data-open="true">
        <div className={styles.first}>{status}</div>
        <div className={styles.rail}>
          {facts}
          {hasResult ? <ResultPanel run={run} title={t('result.soFar')} /> : null}
        </div>
        <div className={styles.rest}>
          <Learning detail={detail} />
        </div>
      </div>
    )
  }
  const canTest = run.artifacts.some(({ kind }) => kind === 'weights')
  return (
    <div className={styles.columns}>
      <div className={styles.first}>
        {hasResult ? (
          <ResultPanel
            run={run}
            title={t('result.training')}
            onShowBad={cross.hasPictures ? () => setFilter({ bad: true }) : null}
          />
        ) : null}
      </div>
      <div className={styles.rail}>
        {canTest && mayTest ? (
          <Panel title={t('test.title')}>
            <TestPanel run={run} />
          </Panel>
        ) : null}
        {facts}
      </div>
      <div className={styles.rest}>
        <Learning detail={detail} />
        {canTest ? <Panel title={t('test.past')}>{tests}</Panel> : null}
        {canTest ? predict : null}
        <ByClass run={run} displays={displays} cross={cross} filter={filter} onFilter={setFilter} />
        {run.validation.method === 'kfold' ? (
          <EvidencePanels run={run} hasClasses={displays.includes('per_class_table')} />
        ) : null}
        <DownloadPanel run={run} />
      </div>
    </div>
  )
}

function Learning({ detail: { run, curves, preview, previewEpochs } }: Pick<Props, 'detail'>) {
  const hasBegun = run.state === 'running' || curves.length > 0
  const hasImages = preview !== null && preview.items.length > 0
  if (!hasBegun && !hasImages) return null
  return (
    <div className={styles.learning} data-kind={itemKind[run.task]}>
      {hasImages ? <Film run={run} preview={preview} epochs={previewEpochs} /> : null}
      {hasBegun ? <Curves run={run} curves={curves} /> : null}
    </div>
  )
}

/** Ways of showing results picture by picture. */
const pictured: ReadonlySet<Display> = new Set(['labelled_pictures', 'outlines', 'boxes', 'comparison'])

/** A test: its result at a glance, the pictures that went worst, then where the figures come from. */
export function TestView({ run, displays }: { run: LearnedRun; displays: readonly Display[] }) {
  const { t } = useTranslation(['runs', 'results'])
  const [filter, setFilter] = useState<ItemFilter | null>(null)
  const isDone = run.state === 'done'
  const { data, isFetching } = useCall('runs/evidence', { id: run.id }, { enabled: isDone, quiet: true })
  if (!isDone) return null
  const evidence = data?.evidence ?? null
  const hasPictures = displays.some((display) => pictured.has(display))
  const hasClasses = displays.includes('per_class_table')
  return (
    <>
      <TestHero
        run={run}
        evidence={evidence}
        hasMatrix={displays.includes('confusion_matrix')}
        hasPictures={hasPictures}
        filter={filter}
        onFilter={setFilter}
      />
      {hasPictures ? (
        <Panel title={t('results:items.title', { context: run.task })}>
          <ResultItems run={run} filter={filter} onClear={() => setFilter(null)} />
        </Panel>
      ) : null}
      {/* Of before, when no evidence was gathered. */}
      {data && evidence === null && !isFetching && hasClasses && run.perClass.length > 0 ? (
        <Panel title={t('result.perClass')}>
          <MetricsTable run={run} />
        </Panel>
      ) : null}
      <EvidencePanels run={run} hasThreshold={false} hasClasses={hasClasses} />
      <DownloadPanel run={run} />
    </>
  )
}

type ResultProps = { run: LearnedRun; title: string; onShowBad?: (() => void) | null }

function ResultPanel({ run, title, onShowBad = null }: ResultProps) {
  return (
    <Panel title={title}>
      <Score run={run} onShowBad={onShowBad} />
    </Panel>
  )
}

type Cross = { hasEvidence: boolean; hasPictures: boolean; isFetching: boolean }

/** What a cross-validation has beside its figures: every image was tested once, so there are images to lead to. */
function useCross(run: LearnedRun, displays: readonly Display[]): Cross {
  const enabled = run.validation.method === 'kfold' && !isOpen(run)
  const { data, isFetching } = useCall('runs/evidence', { id: run.id }, { enabled, quiet: true })
  const hasEvidence = Boolean(data?.evidence)
  const hasPictures = hasEvidence && run.state === 'done' && displays.some((display) => pictured.has(display))
  return { hasEvidence, hasPictures, isFetching }
}

type ByClassProps = {
  run: LearnedRun
  displays: readonly Display[]
  cross: Cross
  filter: ItemFilter | null
  onFilter: (filter: ItemFilter | null) => void
}

function ByClass({ run, displays, cross, filter, onFilter }: ByClassProps) {
  const { t } = useTranslation(['runs', 'results'])
  const { hasEvidence, hasPictures, isFetching } = cross
  const choosing = {
    chosen: cellOf(filter),
    onChoose: (cell: Parameters<typeof filterOf>[1]) => onFilter(filterOf(run, cell)),
  }
  return (
    <>
      {run.confusion && displays.includes('confusion_matrix') ? (
        <Panel title={t('results:confusion.title')}>
          <ConfusionMatrix classes={run.classes} counts={run.confusion} {...(hasPictures ? choosing : {})} />
        </Panel>
      ) : null}
      {hasPictures ? (
        <Panel title={t('results:items.title', { context: run.task })}>
          <ResultItems run={run} filter={filter} onClear={() => onFilter(null)} />
        </Panel>
      ) : null}
      {/* With evidence its table has them, too. */}
      {run.perClass.length > 0 && displays.includes('per_class_table') && !hasEvidence && !isFetching ? (
        <Panel title={t('result.perClass')}>
          <MetricsTable run={run} />
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
