import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatDate, formatDuration, formatNumber } from '../../lib/format.ts'
import type { Fact } from '../../ui/facts.tsx'
import { useNetworkOf } from './network-of.ts'
import { durationOf } from './run-duration.ts'

/** What a run works on, since when, and where it stands while it goes. */
export function useRunFacts(run: Run, networkName: string): Fact[] {
  const { t } = useTranslation(['runs', 'queue'])
  const networkOf = useNetworkOf(() => networkName)
  const { kind, startedAt, createdAt } = run
  const duration = durationOf(run)
  return [
    [t('run.network'), kind === 'flow' ? null : networkOf(run)],
    [t(workedOn[kind]), kind === 'flow_train' ? t('queue:flowTrain.knownFlows') : run.datasetName],
    [t(startedAt === null ? 'queue:since' : 'run.begun'), formatDate(startedAt ?? createdAt, 'minute')],
    [t('run.took'), duration === null ? null : formatDuration(duration)],
    ...useStandingFacts(run),
  ]
}

const workedOn = {
  train: 'runs:run.dataset',
  test: 'runs:run.dataset',
  predict: 'runs:run.pictures',
  flow: 'runs:run.study',
  flow_train: 'queue:flowTrain.learnsFrom',
} as const satisfies Record<Run['kind'], string>

/** How far it is, in numbers; nothing of a run that waits or has ended. */
function useStandingFacts(run: Run): Fact[] {
  const { t } = useTranslation('runs')
  const { kind, progress, state } = run
  if (!isOpen(run) || state !== 'running' || !progress) return []
  const { fold, folds, epoch, epochs, step, steps, itemsPerSecond } = progress
  const learns = kind === 'train' || kind === 'flow_train'
  return [
    [t('run.fold'), folds > 1 ? t('run.of', { value: fold + 1, total: folds }) : null],
    [t('run.epoch'), learns ? t('run.of', { value: epoch, total: epochs }) : null],
    [
      t('run.step'),
      kind === 'flow' ? null : t('run.of', { value: formatNumber(step), total: formatNumber(steps) }),
    ],
    [
      t('run.speed'),
      // Of pictures.
      kind === 'flow' || kind === 'flow_train'
        ? null
        : t('run.perSecond', { value: formatNumber(itemsPerSecond, 0) }),
    ],
  ]
}
