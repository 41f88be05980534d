import type { Order, OrderState } from '@neuroloom/contract/membership/orders'
import { Alert } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './own.module.css'
import { OwnOrderCard } from './own-order-card.tsx'

/** How often an order that may change without its member is looked at again. */
const LOOK_MS = 15_000
const changing: readonly OrderState[] = ['waiting', 'returning']

/** The member's orders with their invoices, the newest first. */
export function OwnOrders({ onPay }: { onPay: (order: Order) => void }) {
  const { t } = useTranslation('membership')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    'payment/orders',
    { page },
    {
      quiet: true,
      keepPrevious: true,
      refetchInterval: ({ state }) =>
        state.data?.orders.some((order) => changing.includes(order.state)) ? LOOK_MS : false,
    },
  )
  if (!data)
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="rows" count={3} />
    )
  if (data.total === 0)
    return (
      <EmptyState
        title={t('orders.empty')}
        text={t('orders.emptyText')}
        action={<Link to="/userCenter?tab=membership">{t('orders.toPlans')}</Link>}
      />
    )
  return (
    <>
      {data.isTrial && <Alert type="info" showIcon title={t('orders.trial')} />}
      <ul className={styles.cards} aria-label={t('orders.title')}>
        {data.orders.map((order) => (
          <li key={order.orderNo}>
            <OwnOrderCard order={order} bank={data.bank} onPay={() => onPay(order)} />
          </li>
        ))}
      </ul>
      <ListPages {...data} page={page} onPage={setPage} />
    </>
  )
}
