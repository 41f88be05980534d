import type { OfficeOrder } from '@neuroloom/contract/membership/orders'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { levelName } from '../../lib/level-names.ts'
import list from '../../ui/list.module.css'
import styles from './office.module.css'
import { OrderMark } from './state-marks.tsx'

type OrderTableProps = { orders: readonly OfficeOrder[]; onOpen: (order: OfficeOrder) => void }

/** One row an order; on narrow screens the less needed columns stand below its number. */
export function OrderTable({ orders, onOpen }: OrderTableProps) {
  const { t } = useTranslation('office')
  return (
    <table className={list.list} aria-label={t('orders.title')}>
      <thead>
        <tr>
          <th>{t('order.number')}</th>
          <th className={list.wide}>{t('order.member')}</th>
          <th className={list.wide}>{t('order.goods')}</th>
          <th>{t('order.amount')}</th>
          <th className={list.wide}>{t('order.method')}</th>
          <th className={list.wide}>{t('order.state')}</th>
          <th className={list.wide}>{t('order.made')}</th>
          <th className={list.wide}>{t('order.paid')}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow key={order.orderNo} order={order} onOpen={() => onOpen(order)} />
        ))}
      </tbody>
    </table>
  )
}

function OrderRow({ order, onOpen }: { order: OfficeOrder; onOpen: () => void }) {
  const { t } = useTranslation(['office', 'levels'])
  const plan =
    (order.model ?? order.work)?.name ?? order.custom?.title ?? t(`levels:${levelName(order.level)}`)
  const member = order.account === '' ? t('order.accountGone') : order.nickName
  const made = formatDate(order.createdAt, 'minute')
  const method = t(`method.${order.method}`)
  return (
    <tr>
      <td>
        <button type="button" className={`${list.open} ${styles.number}`} onClick={onOpen}>
          {order.orderNo}
        </button>
        <span className={list.narrow}>
          <OrderMark state={order.state} />
        </span>
        <small className={list.narrow}>{[member, plan, method, made].join(' · ')}</small>
      </td>
      <td className={list.wide}>
        {member}
        <small>{order.account}</small>
      </td>
      <td className={list.wide}>{plan}</td>
      <td>
        <span className={styles.amount}>{formatFen(order.amountFen)}</span>
        {order.creditFen > 0 && <small>{t('order.creditOf', { amount: formatFen(order.creditFen) })}</small>}
        {order.refundedFen > 0 && (
          <small>{t('order.refundedOf', { amount: formatFen(order.refundedFen) })}</small>
        )}
      </td>
      <td className={list.wide}>{method}</td>
      <td className={list.wide}>
        <OrderMark state={order.state} />
      </td>
      <td className={list.wide}>{made}</td>
      <td className={list.wide}>{order.paidAt === null ? '–' : formatDate(order.paidAt, 'minute')}</td>
    </tr>
  )
}
