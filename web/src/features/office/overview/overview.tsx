import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatDuration, formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Devices } from './devices.tsx'
import { Failures } from './failures.tsx'
import { History } from './history.tsx'
import { Machine } from './machine.tsx'
import styles from './overview.module.css'
import { Plots, sumOf } from './plots.tsx'
import { Queues } from './queues.tsx'

/** Figures of the machine change by themselves. */
const REFRESH_MS = 10_000

/** How the whole server is doing: people, data, the queue, the machine and, where something is sold, money. */
export function Overview() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useCall(
    'office/overview',
    {},
    { quiet: true, refetchInterval: REFRESH_MS },
  )
  if (!data) {
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="cards" count={4} />
    )
  }
  return (
    <>
      <ul className={styles.tiles} aria-label={t('overview.figures')}>
        <Tile name={t('overview.members')} value={formatNumber(data.members.total)}>
          {t('overview.active', {
            count: data.members.activeWeek,
            shown: formatNumber(data.members.activeWeek),
          })}
          {data.members.blocked > 0 &&
            ` · ${t('overview.blocked', { shown: formatNumber(data.members.blocked) })}`}
        </Tile>
        <Tile name={t('overview.stored')} value={formatBytes(data.storage.bytes)}>
          {t('overview.files', { count: data.storage.files, shown: formatNumber(data.storage.files) })}
        </Tile>
        <Tile name={t('overview.running')} value={formatNumber(data.queue.running)}>
          <Link to="/admin?part=jobs">
            {t('overview.waiting', {
              shown: formatNumber(data.queue.waiting),
              paused: formatNumber(data.queue.paused),
            })}
          </Link>
        </Tile>
        <Tile name={t('overview.failed')} value={formatNumber(sumOf(data.days.slice(-7), 'failedRuns'))}>
          <Link to="/admin?part=jobs&state=failed">{t('overview.seeFailed')}</Link>
        </Tile>
      </ul>
      <Machine figures={data} />
      <History history={data.history} />
      <Queues figures={data} />
      <Failures failures={data.failures} />
      <Devices devices={data.devices} />
      <Plots days={data.days} />
      <p className={styles.foot}>
        {t('overview.foot', { version: data.version, up: formatDuration(data.machine.upSeconds) })}
      </p>
    </>
  )
}

function Tile({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <li className={styles.tile}>
      <span className={styles.name}>{name}</span>
      <strong className={styles.value}>{value}</strong>
      <span className={styles.more}>{children}</span>
    </li>
  )
}
