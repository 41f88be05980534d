import { dayMs } from '@neuroloom/contract/limits'
import type { RecycledRun } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import styles from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import rows from './recycled-runs.module.css'
import { movedRuns } from './use-remove-run.ts'

/** Deleted trainings, tests and predictions: bring back, or delete for good. */
export function RecycledRuns() {
  const { t } = useTranslation(['recycled-runs', 'runs'])
  const query = useCall('runs/recycled', {}, { quiet: true })
  const [asked, setAsked] = useState<RecycledRun | 'all' | null>(null)
  const purge = useAction('runs/purge', {
    refresh: ['runs/recycled'],
    onDone: ({ purged }) => toast.success(t('purged', { count: purged })),
  })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { runs, recycleDays } = query.data
  const isAll = asked === 'all'
  const chosen = isAll || asked === null ? null : asked
  return (
    <section className={rows.runs} aria-labelledby="recycled-runs">
      <h2 id="recycled-runs">{t('title')}</h2>
      {runs.length === 0 ? (
        <p className={styles.soft}>{t('empty', { count: recycleDays })}</p>
      ) : (
        <>
          <div className={styles.tools}>
            <p className={styles.soft}>{t('text', { count: recycleDays })}</p>
            <span className={styles.spring} />
            <Button danger onClick={() => setAsked('all')}>
              {t('clear')}
            </Button>
          </div>
          <Table runs={runs} onPurge={setAsked} />
        </>
      )}
      <ConfirmRemove
        open={asked !== null}
        title={
          chosen
            ? t('purgeAsk', { name: t(`runs:list.${chosen.kind}`, { number: chosen.number }) })
            : t('clearAsk', { count: runs.length })
        }
        text={t('purgeText')}
        confirmLabel={t('purge')}
        onConfirm={() => purge.mutateAsync({ ids: chosen ? [chosen.id] : null })}
        onClose={() => setAsked(null)}
      />
    </section>
  )
}

type TableProps = { runs: readonly RecycledRun[]; onPurge: (run: RecycledRun) => void }

function Table({ runs, onPurge }: TableProps) {
  const { t } = useTranslation('recycled-runs')
  return (
    <table className={styles.list}>
      <thead>
        <tr>
          <th>{t('run')}</th>
          <th className={styles.wide}>{t('size')}</th>
          <th className={styles.wide}>{t('deleted')}</th>
          <th className={styles.wide}>{t('clears')}</th>
          <th>
            <span className="nl-hidden">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.id} run={run} onPurge={() => onPurge(run)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ run, onPurge }: { run: RecycledRun; onPurge: () => void }) {
  const { t } = useTranslation(['recycled-runs', 'runs'])
  const name = t(`runs:list.${run.kind}`, { number: run.number })
  const restore = useAction('runs/restore', {
    refresh: movedRuns,
    onDone: () => toast.success(t('runs:list.restored', { name })),
  })
  const left = t('left', { count: daysUntil(run.clearsAt) })
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <small>{[run.project, run.datasetName].filter(Boolean).join(' · ')}</small>
        <small className={styles.narrow}>{left}</small>
      </td>
      <td className={styles.wide}>{formatBytes(run.sizeBytes)}</td>
      <td className={styles.wide}>{formatDate(run.recycledAt, 'day')}</td>
      <td className={styles.wide}>
        {formatDate(run.clearsAt, 'day')}
        <small>{left}</small>
      </td>
      <td className={styles.actions}>
        <div className={rows.buttons}>
          <Button type="link" loading={restore.isPending} onClick={() => restore.mutate({ id: run.id })}>
            {t('restore')}
          </Button>
          <Button type="text" danger onClick={onPurge}>
            {t('purge')}
          </Button>
        </div>
      </td>
    </tr>
  )
}

/** A day that has begun counts. */
const daysUntil = (clearsAt: string): number =>
  Math.max(0, Math.ceil((Date.parse(clearsAt) - Date.now()) / dayMs))
