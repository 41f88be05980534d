import type { Offer } from '@neuroloom/contract/market/demand'
import {
  type InvoiceDraft,
  invoiceFormOf,
  invoiceProblems,
  noInvoice,
} from '@neuroloom/contract/membership/invoice'
import { type PayMethod, payMethods } from '@neuroloom/contract/membership/orders'
import { Alert, Modal, Radio } from 'antd'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { RefusalText } from '../../ui/limits/refusal-text.tsx'
import styles from './market.module.css'

/** What must be known to pay an order. */
export type Payable = {
  orderNo: string
  method: PayMethod
  amountFen: number
  qrCodeUrl: string
  expiresAt: string
}

type Props = {
  offer: Offer
  /** The fields of an invoice, which belong to the membership. */
  Invoice: ComponentType<{
    draft: InvoiceDraft
    isChecked: boolean
    onChange: (draft: InvoiceDraft) => void
  }>
  onOrdered: (order: Payable) => void
  onClose: () => void
}

/** Orders what one provider offers: how it is paid, and what becomes of the money. */
export function OrderDialog({ offer, Invoice, onOrdered, onClose }: Props) {
  const { t } = useTranslation(['market', 'common'])
  const { data } = useCall('shop/methods', {}, { quiet: true })
  const [wanted, setWanted] = useState<PayMethod | null>(null)
  const [invoice, setInvoice] = useState(noInvoice)
  const [isAsked, setAsked] = useState(false)
  const method = wanted ?? data?.methods[0]
  const { id: offerId, revision, priceFen, provider } = offer
  const order = useAction('offer/select', {
    quiet: true,
    refresh: ['payment/orders'],
    onDone: (answer) => method && onOrdered({ ...answer, method, amountFen: priceFen }),
  })
  const handleOrder = () => {
    setAsked(true)
    if (!method) return
    const form = invoiceFormOf(invoice)
    if (Object.keys(invoiceProblems(form)).length > 0) return
    order.mutate({ offerId, revision, payMethod: payMethods[method], ...form })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('pay.title', { provider: provider.nickName })}
      okText={t('pay.order', { amount: formatFen(priceFen) })}
      okButtonProps={{ loading: order.isPending, disabled: !method }}
      cancelText={t('common:cancel')}
      onOk={handleOrder}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <p>{t('pay.text')}</p>
        {data?.isTrial && <Alert type="info" showIcon title={t('pay.trial')} />}
        <Radio.Group
          className={styles.radio ?? ''}
          aria-label={t('pay.way')}
          value={method}
          onChange={({ target }) => setWanted(target.value)}
          options={(data?.methods ?? []).map((value) => ({ value, label: t(`pay.methods.${value}`) }))}
        />
        <p className={styles.help}>{t('pay.noPoints')}</p>
        <Invoice draft={invoice} isChecked={isAsked} onChange={setInvoice} />
        {order.error && (
          <p role="alert" className={styles.problem}>
            <RefusalText error={order.error} />
          </p>
        )}
      </div>
    </Modal>
  )
}
