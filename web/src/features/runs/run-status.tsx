import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatDuration } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
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
          {run.kind === 'flow' ? null : (
            <div>
              <dt>{t('run.network')}</dt>
              <dd>{networkOf(run)}</dd>
            </div>
          )}
          <div>
            <dt>{t(workedOn[run.kind])}</dt>
            <dd>{run.kind === 'flow_train' ? t('queue:flowTrain.knownFlows') : run.datasetName}</dd>
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

const workedOn = {
  train: 'runs:run.dataset',
  test: 'runs:run.dataset',
  predict: 'runs:run.pictures',
  flow: 'runs:run.study',
  flow_train: 'queue:flowTrain.learnsFrom',
} as const satisfies Record<Run['kind'], string>

/** Of runs older than that account, from begin to end. */
const secondsOf = (startedAt: string, endedAt: string, busySeconds: number): number =>
  busySeconds || (Date.parse(endedAt) - Date.parse(startedAt)) / 1000

function Controls({ run }: { run: Run }) {
  // What a tool did is done again in the toolbox.
  if (!isOpen(run))
    return run.tool === null ? (
      <div className={styles.controls}>
        <SellLink run={run} />
        <RerunButton run={run} />
      </div>
    ) : null
  return (
    <div className={styles.controls}>
      <PauseButton run={run} />
      <StopButton run={run} />
    </div>
  )
}

/** A test that is done says what a model in the shop is worth. */
function SellLink({ run: { id, kind, state, parentId } }: { run: Run }) {
  const { t } = useTranslation('queue')
  const isMeasured = kind === 'test' && state === 'done' && parentId !== null
  const { data } = useCall('setting/public', {}, { quiet: true, enabled: isMeasured })
  if (!isMeasured || data?.host !== 0) return null
  return <Link to={`/userCenter?tab=shop&test=${id}`}>{t('sell')}</Link>
}
