import { roles } from '@neuroloom/contract/accounts/roles'
import type { WalletRecord } from '@neuroloom/contract/membership/wallet'
import { Button, Select } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './wallet.module.css'
import { WalletMark } from './wallet-marks.tsx'

const WithdrawalDialog = lazyPart(async () => (await import('./withdrawal-dialog.tsx')).WithdrawalDialog, {
  over: true,
})

type Direction = WalletRecord['direction']
const directions = ['in', 'out'] as const satisfies readonly Direction[]

/** Income and expenditure, the newest first, a page at a time. */
export function WalletRecords() {
  const { t } = useTranslation('wallet')
  const isProvider = useUser()?.role === roles.provider
  const [direction, setDirection] = useState<Direction | null>(null)
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    'wallet/records',
    { direction, page },
    { quiet: true, keepPrevious: true },
  )
  const choose = (chosen: Direction | 'all') => {
    setDirection(chosen === 'all' ? null : chosen)
    setPage(1)
  }
  if (!data)
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="rows" count={4} />
    )
  return (
    <>
      <div className={list.tools}>
        <Select<Direction | 'all'>
          aria-label={t('records.which')}
          value={direction ?? 'all'}
          onChange={choose}
          options={[
            { value: 'all' as const, label: t('records.all') },
            ...directions.map((value) => ({ value, label: t(`records.${value}`) })),
          ]}
        />
      </div>
      {data.total === 0 ? (
        <EmptyState
          title={t('records.empty')}
          text={t('records.emptyText')}
          // Service providers have no shop of their own.
          action={isProvider ? undefined : <Link to="/userCenter?tab=shop">{t('records.toShop')}</Link>}
        />
      ) : (
        <Records records={data.records} />
      )}
      <ListPages page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />
    </>
  )
}

function Records({ records }: { records: readonly WalletRecord[] }) {
  const { t } = useTranslation('wallet')
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      <table className={list.list} aria-label={t('records.title')}>
        <thead>
          <tr>
            <th>{t('records.what')}</th>
            <th className={list.wide}>{t('records.at')}</th>
            <th className={list.wide}>{t('records.status')}</th>
            <th className={styles.amount}>{t('records.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              <td>
                <Description record={record} onOpen={() => setShown(record.number)} />
                <small className={list.narrow}>{formatDate(record.at, 'minute')}</small>
                <span className={list.narrow}>
                  <WalletMark status={record.status} />
                </span>
              </td>
              <td className={list.wide}>{formatDate(record.at, 'minute')}</td>
              <td className={`${list.wide} ${styles.status}`}>
                <WalletMark status={record.status} />
              </td>
              <td className={styles.amount}>{signed(record)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Suspense>
        {shown !== null && <WithdrawalDialog withdrawalNo={shown} onClose={() => setShown(null)} />}
      </Suspense>
    </>
  )
}

/** Of a sale its model and order; of a withdrawal the kind of account, and the way to its details. */
function Description({ record, onOpen }: { record: WalletRecord; onOpen: () => void }) {
  const { t } = useTranslation('wallet')
  const { model, work, method, number, reason, status } = record
  if (work !== null)
    return (
      <>
        {t('records.work', { work })}
        <small>{t('records.order', { number })}</small>
      </>
    )
  if (method === null) {
    const key = status === 'not_passed' ? 'records.saleBack' : 'records.sale'
    return (
      <>
        {t(key, { model: model ?? '' })}
        <small>{t('records.order', { number })}</small>
      </>
    )
  }
  const text = t('records.withdrawal', { method: t(`payee.methods.${method}`) })
  return (
    <>
      <Button type="link" size="small" className={styles.link ?? ''} onClick={onOpen}>
        {text}
      </Button>
      <small>{t('records.number', { number })}</small>
      {reason !== '' && <small>{t('records.reason', { reason })}</small>}
    </>
  )
}

const signed = ({ direction, amountFen }: WalletRecord): string =>
  `${direction === 'in' ? '+' : '−'}${formatFen(amountFen)}`
