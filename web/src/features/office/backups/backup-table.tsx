import type { Backup } from '@neuroloom/contract/office/operations'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import list from '../../../ui/list.module.css'
import { StateMark } from '../../../ui/state-mark.tsx'
import styles from './backups.module.css'

const marks = { waiting: 'waiting', running: 'running', done: 'done', failed: 'failed' } as const
const testMarks = { waiting: 'running', passed: 'done', failed: 'failed' } as const

/** What backups there are, and the restore test of each. */
export function BackupTable({ backups, isBusy }: { backups: readonly Backup[]; isBusy: boolean }) {
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
        {problem !== null && <Problem help={t('backups.failedHelp')} report={problem} />}
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
            {test.problem !== null && <Problem help={t('backups.testFailedHelp')} report={test.problem} />}
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

/** What to do, and below it what the server's own programs said, in their words. */
function Problem({ help, report }: { help: string; report: string }) {
  return (
    <small className={styles.problem}>
      {help} <code lang="en">{report}</code>
    </small>
  )
}
