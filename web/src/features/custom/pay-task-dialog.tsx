import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
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
import { messageOf } from '../../lib/api.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useAction, useCall } from '../../lib/query.ts'
import styles from './custom.module.css'

/** What must be known to pay an order. */
export type Payable = {
  orderNo: string
  method: PayMethod
  amountFen: number
  qrCodeUrl: string
  expiresAt: string
}

type Props = {
  task: CustomTask
  /** The fields of an invoice, which belong to the membership. */
  Invoice: ComponentType<{
    draft: InvoiceDraft
    isChecked: boolean
    onChange: (draft: InvoiceDraft) => void
  }>
  onOrdered: (order: Payable) => void
  onClose: () => void
}

/** By which way a task is paid, and to whom the invoice goes. */
export function PayTaskDialog({ task, Invoice, onOrdered, onClose }: Props) {
  const { t } = useTranslation(['custom', 'common'])
  const { data } = useCall('customTask/prices', {}, { quiet: true })
  const [wanted, setWanted] = useState<PayMethod | null>(null)
  const [invoice, setInvoice] = useState(noInvoice)
  const [isAsked, setAsked] = useState(false)
  const method = wanted ?? data?.methods[0]
  const priceFen = task.priceFen ?? 0
  const order = useAction('customTask/pay', {
    quiet: true,
    refresh: ['payment/orders', 'customTask/list'],
    onDone: (made) => {
      if (method) onOrdered({ ...made, method, amountFen: priceFen })
    },
  })
  const handlePay = () => {
    setAsked(true)
    const form = invoiceFormOf(invoice)
    if (!method || Object.keys(invoiceProblems(form)).length > 0) return
    order.mutate({ id: task.id, payMethod: payMethods[method], priceFen, ...form })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('pay.title', { title: task.title })}
      okText={t('pay.confirm', { amount: formatFen(priceFen) })}
      okButtonProps={{ loading: order.isPending, disabled: !method }}
      cancelText={t('common:cancel')}
      onOk={handlePay}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <p>{t(task.isReviewed ? 'pay.textReviewed' : 'pay.text')}</p>
        {data?.isTrial && <Alert type="info" showIcon title={t('pay.trial')} />}
        <Radio.Group
          aria-label={t('pay.method')}
          value={method}
          onChange={({ target }) => setWanted(target.value)}
          options={(data?.methods ?? []).map((value) => ({ value, label: t(`pay.methods.${value}`) }))}
        />
        <Invoice draft={invoice} isChecked={isAsked} onChange={setInvoice} />
        {order.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(order.error)}
          </p>
        )}
      </div>
    </Modal>
  )
}
