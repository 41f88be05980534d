import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import list from '../../../ui/list.module.css'
import { Loading } from '../../../ui/loading.tsx'
import { BackupTable } from './backup-table.tsx'
import { Plan } from './plan.tsx'

const REFRESH_MS = 5000

/** Copies of everything: when they are made, what there is, and whether it could be restored. */
export function Backups() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useCall('office/backups', {}, { quiet: true, refetchInterval: REFRESH_MS })
  const make = useAction('office/backup', {
    refresh: ['office/backups'],
    onDone: () => toast.success(t('backups.asked')),
  })
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />
  }
  if (!data.isSetUp) return <NotSetUp />
  const isBusy = data.backups.some(({ state, test }) =>
    state !== 'done' && state !== 'failed' ? true : test?.state === 'waiting',
  )
  return (
    <>
      <Plan key={JSON.stringify(data.plan)} plan={data.plan} />
      <div className={list.tools}>
        <Button type="primary" disabled={isBusy} loading={make.isPending} onClick={() => make.mutate({})}>
          {t('backups.make')}
        </Button>
      </div>
      {data.backups.length === 0 && <EmptyState title={t('backups.none')} text={t('backups.emptyText')} />}
      {data.backups.length > 0 && <BackupTable backups={data.backups} isBusy={isBusy} />}
    </>
  )
}

function NotSetUp() {
  const { t } = useTranslation('operations')
  const how = (
    <>
      {t('backups.how')} <code>BACKUP_DIR</code> {t('backups.until')}{' '}
      <code>npm run admin -- backup /mnt/backup</code>
    </>
  )
  return <Alert type="warning" showIcon title={t('backups.notSetUp')} description={how} />
}
