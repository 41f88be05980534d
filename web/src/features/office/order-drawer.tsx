import type { OfficeOrder } from '@neuroloom/contract/membership/orders'
import { Alert, Button, Drawer } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../ui/hooks/use-media.ts'
import styles from './office.module.css'
import { OrderFacts } from './order-facts.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { ReturnedDialog } from './returned-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

type OrderDrawerProps = {
  order: OfficeOrder
  /** What became of it. */
  onChange: (order: OfficeOrder) => void
  onClose: () => void
}

/** Everything known of one order, and what can be done for it now. */
export function OrderDrawer({ order, onChange, onClose }: OrderDrawerProps) {
  const { t } = useTranslation('office')
  const isNarrow = useIsNarrow()
  const [asked, setAsked] = useState<Deed | null>(null)
  const props = { order, onDone: onChange, onClose: () => setAsked(null) }
  return (
    <Drawer
      open
      size={isNarrow ? '100%' : 560}
      title={t('order.title', { orderNo: order.orderNo })}
      onClose={onClose}
    >
      <div className={styles.details}>
        {order.refundProblem !== '' && (
          <Alert type="error" showIcon title={t('order.refundProblem')} description={order.refundProblem} />
        )}
        {order.isOwn && deedsOf(order).length > 0 && <p className={styles.help}>{t('order.own')}</p>}
        <div className={styles.actions}>
          {(order.isOwn ? [] : deedsOf(order)).map((deed) => (
            <Button key={deed} danger={deed === 'refund'} onClick={() => setAsked(deed)}>
              {t(`${deed}.open`)}
            </Button>
          ))}
        </div>
        <OrderFacts order={order} />
      </div>
      {asked === 'transfer' && <TransferDialog {...props} />}
      {asked === 'refund' && <RefundDialog {...props} />}
      {asked === 'returned' && <ReturnedDialog {...props} />}
    </Drawer>
  )
}

type Deed = 'transfer' | 'refund' | 'returned'

/** Only what changes something. A transfer may be slower than its order lives. */
function deedsOf({ kind, method, state, amountFen, refundedFen }: OfficeOrder): Deed[] {
  const deeds: Deed[] = []
  if (method === 'transfer' && (state === 'waiting' || state === 'expired')) deeds.push('transfer')
  if (method === 'transfer' && state === 'returning') deeds.push('returned')
  // Money for work goes back by the decision of its dispute alone.
  if (state === 'paid' && kind !== 'work' && amountFen > refundedFen) deeds.push('refund')
  return deeds
}
