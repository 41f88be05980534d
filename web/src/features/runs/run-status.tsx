import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../lib/query.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import styles from './run.module.css'
import { PauseButton, RerunButton, StopButton } from './run-buttons.tsx'
import { useRunFacts } from './run-facts.tsx'
import { RunBar, RunLead, TimeLeft } from './run-progress.tsx'
import { RunStateTag } from './run-state-tag.tsx'

type Props = { run: Run; networkName: string; mayStop: boolean }

/** The state of a run at a glance with what it works on, all in a line. */
export function RunStatus({ networkName, ...props }: Props) {
  const facts = useRunFacts(props.run, networkName).filter(([, value]) => value !== null && value !== '')
  return (
    <RunStrip {...props}>
      <dl className={styles.factLine}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </RunStrip>
  )
}

/** How far a run is and how long it will still take in one line, with the ways to pause, stop or repeat it. */
export function RunStrip({ run, mayStop, children }: Omit<Props, 'networkName'> & { children?: ReactNode }) {
  return (
    <section className={styles.strip}>
      <div className={styles.stripHead}>
        <h2>
          <RunStateTag run={run} />
        </h2>
        {isOpen(run) ? <RunLead run={run} /> : null}
        <TimeLeft run={run} />
        {mayStop ? <Controls run={run} /> : null}
      </div>
      {isOpen(run) ? <RunBar run={run} /> : null}
      {children}
    </section>
  )
}

/** Beside what a training shows: what it works on; once it has ended, its state and the way to repeat it, too. */
export function RunFacts({ run, networkName, mayStop }: Props) {
  const { t } = useTranslation('runs')
  const facts = useRunFacts(run, networkName)
  if (isOpen(run))
    return (
      <Panel title={t('run.facts')}>
        <Facts facts={facts} />
      </Panel>
    )
  return (
    <Panel title={<RunStateTag run={run} />} extra={mayStop ? <Controls run={run} /> : null}>
      <Facts facts={facts} />
    </Panel>
  )
}

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
  if (!isMeasured || data?.host !== 0 || data.off.includes('shop')) return null
  return <Link to={`/userCenter?tab=shop&test=${id}`}>{t('sell')}</Link>
}
