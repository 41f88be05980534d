import type { Evidence } from '@neuroloom/contract/evidence'
import { hasEnoughCases } from '@neuroloom/contract/evidence/enough-cases'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Panel } from '../../../ui/page.tsx'
import { CalibrationView } from './calibration-view.tsx'
import { DecisionTable } from './decision-table.tsx'
import { DetectionView } from './detection-view.tsx'
import styles from './evidence.module.css'
import { GainTable } from './gain-table.tsx'
import { GroupPanel } from './group-panel.tsx'
import { IntervalTable } from './interval-table.tsx'
import { SurfaceTable } from './surface-table.tsx'
import { ThresholdView } from './threshold-view.tsx'

type Props = {
  run: LearnedRun
  /** Whether the thresholds stand here and nowhere else on the page. */
  hasThreshold?: boolean
  /** Whether the project shows figures class by class. */
  hasClasses?: boolean
}

/** What makes a test's figures defensible. Tests from before it was gathered have none, and show nothing. */
export function EvidencePanels({ run, hasThreshold = true, hasClasses = true }: Props) {
  const { t } = useTranslation(['evidence', 'figures'])
  const { data, error, refetch } = useCall('runs/evidence', { id: run.id }, { quiet: true })
  if (error && !data) {
    return (
      <Panel title={t('intervals.title')}>
        <ErrorState error={error} retry={() => void refetch()} />
      </Panel>
    )
  }
  const evidence = data?.evidence
  if (!evidence) return null
  const curves = evidence.curves.filter(({ points }) => points.length > 0)
  return (
    <>
      <Panel title={t('intervals.title')}>
        <p className={styles.lead}>
          {hasEnoughCases(evidence)
            ? t(`intervals.${evidence.items === evidence.groups ? 'single' : 'grouped'}`, {
                ...countsOf(evidence),
                context: run.task,
              })
            : t('figures:interval.tooFew', { groups: formatNumber(evidence.groups) })}
        </p>
        <IntervalTable run={run} evidence={evidence} hasClasses={hasClasses} />
      </Panel>
      {evidence.decisions.length > 0 ? (
        <Panel title={t('decisions.title')}>
          <DecisionTable decisions={evidence.decisions} task={run.task} />
        </Panel>
      ) : null}
      <GroupPanel run={run} />
      {hasThreshold && curves.length > 0 ? (
        <Panel title={t('threshold.title')}>
          <ThresholdView curves={curves} decisions={evidence.decisions} task={run.task} />
        </Panel>
      ) : null}
      {evidence.calibration ? (
        <Panel title={t('calibration.title')}>
          <CalibrationView calibration={evidence.calibration} />
        </Panel>
      ) : null}
      {evidence.detections.length > 0 ? (
        <Panel title={t('detections.title')}>
          <DetectionView curves={evidence.detections} decisions={evidence.decisions} />
        </Panel>
      ) : null}
      {evidence.gains.length > 0 ? (
        <Panel title={t('gains.title', { context: run.task })}>
          <GainTable evidence={evidence} task={run.task} />
        </Panel>
      ) : null}
      {evidence.surfaces.length > 0 ? (
        <Panel title={t('surfaces.title', { context: run.task })}>
          <SurfaceTable evidence={evidence} task={run.task} />
        </Panel>
      ) : null}
    </>
  )
}

const countsOf = ({ items, groups }: Evidence) => ({ count: items, groups })
