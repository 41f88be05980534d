import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatDate, formatDuration } from '../../lib/format.ts'
import { Panel } from '../../ui/page.tsx'
import { useNetworkOf } from './network-of.ts'
import styles from './run.module.css'
import { PauseButton, RerunButton, StopButton } from './run-buttons.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunStateTag } from './run-state-tag.tsx'

type Props = { run: Run; networkName: string; mayStop: boolean }

/** The state of a run at a glance, what it works on, and the ways to pause, stop or repeat it. */
export function RunStatus({ run, networkName, mayStop }: Props) {
  const { t } = useTranslation(['runs', 'queue'])
  const networkOf = useNetworkOf(() => networkName)
  return (
    <Panel title={<RunStateTag run={run} />} extra={mayStop ? <Controls run={run} /> : null}>
      <div className={styles.progress}>
        {isOpen(run) ? <RunProgress run={run} /> : null}
        <dl className={styles.facts}>
          <div>
            <dt>{t('run.network')}</dt>
            <dd>{networkOf(run)}</dd>
          </div>
          <div>
            <dt>{t(run.kind === 'predict' ? 'run.pictures' : 'run.dataset')}</dt>
            <dd>{run.datasetName}</dd>
          </div>
          <div>
            <dt>{t(run.startedAt === null ? 'queue:since' : 'run.begun')}</dt>
            <dd>{formatDate(run.startedAt ?? run.createdAt, 'minute')}</dd>
          </div>
          {run.startedAt && run.endedAt ? (
            <div>
              <dt>{t('run.took')}</dt>
              <dd>{formatDuration(secondsOf(run.startedAt, run.endedAt, run.busySeconds))}</dd>
            </div>
          ) : null}
        </dl>
      </div>
    </Panel>
  )
}

/** Of runs older than that account, from begin to end. */
const secondsOf = (startedAt: string, endedAt: string, busySeconds: number): number =>
  busySeconds || (Date.parse(endedAt) - Date.parse(startedAt)) / 1000

function Controls({ run }: { run: Run }) {
  if (!isOpen(run)) return <RerunButton run={run} />
  return (
    <div className={styles.controls}>
      <PauseButton run={run} />
      <StopButton run={run} />
    </div>
  )
}
