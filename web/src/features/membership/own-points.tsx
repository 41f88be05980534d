import type { Answer } from '@neuroloom/contract/calls'
import { Alert } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { levelName } from '../../lib/level-names.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './own.module.css'

type Change = Answer<'points/list'>['records'][number]

/** The member's points, what they are, and what changed them. */
export function OwnPoints() {
  const { t } = useTranslation('membership')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall('points/list', { page }, { quiet: true, keepPrevious: true })
  if (!data)
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="rows" count={4} />
    )
  const { balance, records, total, pageSize } = data
  return (
    <>
      <strong className={styles.balance}>
        {t('points.balance', { count: balance, points: formatNumber(balance) })}
      </strong>
      <p className={styles.about}>{t('points.about')}</p>
      {balance < 0 && <Alert type="info" showIcon title={t('points.below')} className={styles.below ?? ''} />}
      {total === 0 ? (
        <EmptyState
          title={t('points.empty')}
          text={t('points.emptyText')}
          action={<Link to="/userCenter?tab=membership">{t('points.toPlans')}</Link>}
        />
      ) : (
        <Changes records={records} />
      )}
      <ListPages page={page} pageSize={pageSize} total={total} onPage={setPage} />
    </>
  )
}

function Changes({ records }: { records: readonly Change[] }) {
  const { t } = useTranslation(['membership', 'levels'])
  return (
    <table className={list.list} aria-label={t('points.history')}>
      <thead>
        <tr>
          <th>{t('points.what')}</th>
          <th className={list.wide}>{t('points.date')}</th>
          <th className={styles.points}>{t('points.points')}</th>
        </tr>
      </thead>
      <tbody>
        {records.map(({ id, kind, level, model, orderNo, points, at }) => (
          <tr key={id}>
            <td>
              {t(`points.kind.${kind}`, {
                level: t(`levels:${levelName(level ?? 0)}`),
                model: model ?? '',
                context: points < 0 ? 'out' : 'in',
              })}
              <small>{t('points.order', { orderNo })}</small>
              <small className={list.narrow}>{formatDate(at, 'minute')}</small>
            </td>
            <td className={list.wide}>{formatDate(at, 'minute')}</td>
            <td className={styles.points}>{signed(points)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const signed = (points: number): string => `${points > 0 ? '+' : ''}${formatNumber(points)}`
