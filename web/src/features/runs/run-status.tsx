import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatDate, formatDuration } from '../../lib/format.ts'
import { Panel } from '../../ui/page.tsx'
import { isActive } from './journey.ts'
import { useNetworkOf } from './network-of.ts'
import styles from './run.module.css'
import { RunProgress } from './run-progress.tsx'
import { RunStateTag } from './run-state-tag.tsx'
import { StopButton } from './stop-button.tsx'

type Props = { run: Run; networkName: string; mayStop: boolean }

/** The state of a run at a glance, what it works on, and the way to stop it. */
export function RunStatus({ run, networkName, mayStop }: Props) {
  const { t } = useTranslation('runs')
  const networkOf = useNetworkOf(() => networkName)
  return (
    <Panel
      title={<RunStateTag run={run} />}
      extra={isActive(run) && mayStop ? <StopButton run={run} /> : null}
    >
      <div className={styles.progress}>
        {isActive(run) ? <RunProgress run={run} /> : null}
        <dl className={styles.facts}>
          <div>
            <dt>{t('run.network')}</dt>
            <dd>{networkOf(run)}</dd>
          </div>
          <div>
            <dt>{t('run.dataset')}</dt>
            <dd>{run.datasetName}</dd>
          </div>
          <div>
            <dt>{t('run.begun')}</dt>
            <dd>{formatDate(run.startedAt ?? run.createdAt, 'minute')}</dd>
          </div>
          {run.startedAt && run.endedAt ? (
            <div>
              <dt>{t('run.took')}</dt>
              <dd>{formatDuration((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000)}</dd>
            </div>
          ) : null}
        </dl>
      </div>
    </Panel>
  )
}
