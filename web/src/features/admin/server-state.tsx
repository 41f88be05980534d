import type { Answer } from '@neuroloom/contract/calls'
import { Alert, Button } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './server-state.module.css'

type State = Answer<'site/server'>

/** What only an administrator can put right: the clock, and room on the disk. */
export function ServerState() {
  const { t } = useTranslation('admin')
  const title = useId()
  const { data, error, refetch } = useCall('site/server', {}, { quiet: true })
  return (
    <section className={styles.card} aria-labelledby={title}>
      <h2 id={title}>{t('server.title')}</h2>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={2} />}
      {data?.clock.isInDoubt && <ClockInDoubt clock={data.clock} />}
      {data && <Disk disk={data.disk} />}
    </section>
  )
}

function ClockInDoubt({ clock: { newest, now } }: Pick<State, 'clock'>) {
  const { t } = useTranslation('admin')
  const confirm = useAction('site/confirmClock', {
    refresh: ['site/server'],
    onDone: () => toast.success(t('server.confirmed')),
  })
  return (
    <Alert
      type="warning"
      showIcon
      title={t('server.clockTitle')}
      description={
        <>
          <p>
            {t('server.clockText', { from: formatDate(newest, 'minute'), now: formatDate(now, 'minute') })}
          </p>
          <Button
            className={styles.confirm ?? ''}
            loading={confirm.isPending}
            onClick={() => confirm.mutate({})}
          >
            {t('server.confirm')}
          </Button>
        </>
      }
    />
  )
}

function Disk({ disk: { freeBytes, totalBytes, reserveBytes, promisedBytes } }: Pick<State, 'disk'>) {
  const { t } = useTranslation('admin')
  const total = formatBytes(totalBytes)
  const promised = formatBytes(promisedBytes)
  const facts = [
    { name: t('server.free'), value: t('server.freeOf', { free: formatBytes(freeBytes), total }) },
    { name: t('server.reserve'), value: formatBytes(reserveBytes) },
    { name: t('server.promised'), value: promised },
  ]
  return (
    <>
      {freeBytes < reserveBytes && <Alert type="error" showIcon title={t('server.low')} />}
      <dl className={styles.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {promisedBytes > totalBytes && (
        <Alert type="info" showIcon title={t('server.beyond', { promised, total })} />
      )}
    </>
  )
}
