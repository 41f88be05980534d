import type { Order } from '@neuroloom/contract/membership/orders'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { messageOf } from '../../lib/api.ts'
import { formatFen } from '../../lib/format-money.ts'
import { levelName } from '../../lib/level-names.ts'
import { refreshPaths, useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { Facts } from '../../ui/facts.tsx'
import styles from './own.module.css'
import { OwnCancelDialog } from './own-cancel-dialog.tsx'
import { invoiceFactsOf, orderFactsOf } from './own-facts.tsx'
import { OrderMark } from './own-marks.tsx'
import { type Bank, OwnTransfer } from './own-transfer.tsx'

type OwnOrderCardProps = { order: Order; bank: Bank | null; onPay: () => void }

/** One order: what was bought, how it stands, its invoice, and what can be done while it waits. */
export function OwnOrderCard({ order, bank, onPay }: OwnOrderCardProps) {
  const { t } = useTranslation(['membership', 'levels'])
  const title = useId()
  const [isAsked, setAsked] = useState(false)
  const cancel = useCancel(() => setAsked(false))
  const { orderNo, state, method, years, invoice } = order
  const isWaiting = state === 'waiting'
  const level =
    (order.model ?? order.work)?.name ?? order.custom?.title ?? t(`levels:${levelName(order.level)}`)
  const length = years === 0 ? t('orders.endless') : t('orders.years', { count: years })
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h3 id={title}>
          {order.model && (
            <Link to={`/merchandiseDetail?id=${order.model.id}`}>
              {t('orders.model', { name: order.model.name })}
            </Link>
          )}
          {order.work && (
            <Link to={`/demandDetail?id=${order.work.id}`}>
              {t('orders.work', { name: order.work.name })}
            </Link>
          )}
          {order.custom && (
            <Link to="/userCenter?tab=custom">{t('orders.custom', { title: order.custom.title })}</Link>
          )}
          {order.kind === 'plan' && t('orders.plan', { level, length })}
        </h3>
        <span className={styles.amount}>{formatFen(order.amountFen)}</span>
        <OrderMark state={state} />
      </header>
      {cancel.error && (
        <Alert
          type="warning"
          showIcon
          title={t('orders.notCancelled')}
          description={messageOf(cancel.error)}
        />
      )}
      {isWaiting && method === 'transfer' && bank && <OwnTransfer order={order} bank={bank} />}
      {isWaiting && (
        <div className={styles.actions}>
          {method !== 'transfer' && (
            <Button type="primary" onClick={onPay}>
              {t('orders.pay')}
            </Button>
          )}
          <Button onClick={() => setAsked(true)}>{t('orders.cancel')}</Button>
        </div>
      )}
      <Facts facts={orderFactsOf(order, t)} />
      {invoice && (
        <section className={styles.invoice}>
          <h4>{t('orders.invoice')}</h4>
          <Facts facts={invoiceFactsOf(invoice, t)} />
        </section>
      )}
      <OwnCancelDialog
        open={isAsked}
        text={t(method === 'transfer' ? 'orders.cancelTransferText' : 'orders.cancelText', { level })}
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate({ orderNo })}
        onClose={() => setAsked(false)}
      />
    </article>
  )
}

/** A refusal means that the order has changed meanwhile: it is shown anew, beside the reason. */
function useCancel(onEnd: () => void) {
  const { t } = useTranslation('membership')
  const queries = useQueryClient()
  return useAction('payment/cancel', {
    quiet: true,
    refresh: ['payment/orders', 'vip/offers'],
    onDone: () => {
      onEnd()
      toast.success(t('orders.cancelled'))
    },
    onFailed: () => {
      onEnd()
      refreshPaths(queries, ['payment/orders'])
    },
  })
}
