import { backups as limits } from '@neuroloom/contract/limits'
import { type Backup, type BackupPlan, backupPeriods } from '@neuroloom/contract/office/operations'
import { Alert, Button, InputNumber, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import styles from './backups.module.css'

const REFRESH_MS = 5000
const marks = { waiting: 'waiting', running: 'running', done: 'done', failed: 'failed' } as const
const testMarks = { waiting: 'running', passed: 'done', failed: 'failed' } as const

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

function Plan({ plan }: { plan: BackupPlan }) {
  const { t } = useTranslation('operations')
  const id = useId()
  const [wish, setWish] = useState(plan)
  const save = useAction('office/backupPlan', {
    refresh: ['office/backups'],
    onDone: () => toast.success(t('backups.planSaved')),
  })
  const isChanged = wish.every !== plan.every || wish.hour !== plan.hour || wish.keep !== plan.keep
  return (
    <section className={styles.plan} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('backups.plan')}</h2>
      <div className={styles.fields}>
        <div>
          <label htmlFor={`${id}-every`}>{t('backups.every')}</label>
          <Select<BackupPlan['every']>
            id={`${id}-every`}
            value={wish.every}
            onChange={(every) => setWish({ ...wish, every })}
            options={backupPeriods.map((value) => ({ value, label: t(`backups.period.${value}`) }))}
          />
        </div>
        <div>
          <label htmlFor={`${id}-hour`}>{t('backups.hour')}</label>
          <InputNumber
            id={`${id}-hour`}
            min={0}
            max={23}
            precision={0}
            disabled={wish.every === 'never'}
            value={wish.hour}
            onChange={(hour) => setWish({ ...wish, hour: hour ?? 0 })}
          />
        </div>
        <div>
          <label htmlFor={`${id}-keep`}>{t('backups.keep')}</label>
          <InputNumber
            id={`${id}-keep`}
            min={1}
            max={limits.mostKept}
            precision={0}
            value={wish.keep}
            onChange={(keep) => setWish({ ...wish, keep: keep ?? 1 })}
          />
        </div>
        <Button disabled={!isChanged} loading={save.isPending} onClick={() => save.mutate(wish)}>
          {t('backups.save')}
        </Button>
      </div>
      <p className={styles.help}>{t('backups.planHelp')}</p>
    </section>
  )
}

function BackupTable({ backups, isBusy }: { backups: readonly Backup[]; isBusy: boolean }) {
  const { t } = useTranslation('operations')
  return (
    <table className={list.list} aria-label={t('backups.title')}>
      <thead>
        <tr>
          <th>{t('backups.made')}</th>
          <th>{t('backups.state')}</th>
          <th className={list.wide}>{t('backups.content')}</th>
          <th>{t('backups.test')}</th>
        </tr>
      </thead>
      <tbody>
        {backups.map((backup) => (
          <BackupLine key={backup.id} backup={backup} isBusy={isBusy} />
        ))}
      </tbody>
    </table>
  )
}

function BackupLine({ backup, isBusy }: { backup: Backup; isBusy: boolean }) {
  const { t } = useTranslation('operations')
  const {
    id,
    name,
    state,
    isByHand,
    askedAt,
    rowCount,
    fileCount,
    copiedCount,
    missingCount,
    problem,
    test,
  } = backup
  const start = useAction('office/testBackup', { refresh: ['office/backups'] })
  const content =
    rowCount === null || fileCount === null
      ? null
      : t('backups.counts', {
          rows: formatNumber(rowCount),
          files: formatNumber(fileCount),
          copied: formatNumber(copiedCount ?? 0),
        })
  return (
    <tr>
      <td>
        {formatDate(askedAt, 'minute')}
        <small>{t(isByHand ? 'backups.byHand' : 'backups.byPlan')}</small>
        <small>
          <code>{name}</code>
        </small>
      </td>
      <td>
        <StateMark state={marks[state]} text={t(`backups.states.${state}`)} />
        {problem !== null && <small className={styles.problem}>{problem}</small>}
        {(missingCount ?? 0) > 0 && (
          <small className={styles.problem}>{t('backups.missing', { count: missingCount ?? 0 })}</small>
        )}
      </td>
      <td className={list.wide}>{content}</td>
      <td>
        {test !== null && (
          <>
            <StateMark state={testMarks[test.state]} text={t(`backups.tests.${test.state}`)} />
            {test.at !== null && <small>{formatDate(test.at, 'minute')}</small>}
            {test.problem !== null && <small className={styles.problem}>{test.problem}</small>}
          </>
        )}
        {state === 'done' && test?.state !== 'waiting' && (
          <Button
            size="small"
            disabled={isBusy}
            loading={start.isPending}
            aria-label={t('backups.testOf', { name })}
            onClick={() => start.mutate({ id })}
          >
            {t(test === null ? 'backups.testNow' : 'backups.testAgain')}
          </Button>
        )}
      </td>
    </tr>
  )
}
