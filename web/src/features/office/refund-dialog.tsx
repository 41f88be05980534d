import { membership as limits } from '@neuroloom/contract/limits'
import { parseYuan, yuanText } from '@neuroloom/contract/membership/money'
import { Alert, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { formatFen } from '../../lib/format-money.ts'
import { levelName } from '../../lib/level-names.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import styles from './office.module.css'
import type { OrderDialogProps } from './transfer-dialog.tsx'
import { WordsField } from './words-field.tsx'
import { YuanField } from './yuan-field.tsx'

/** Money of a paid order is given back: how much and why, what ends, and one more question before it moves. */
export function RefundDialog({ order, onDone, onClose }: OrderDialogProps) {
  const { t } = useTranslation(['office', 'levels', 'common'])
  const mostFen = order.amountFen - order.refundedFen
  const [amount, setAmount] = useState(yuanText(Math.min(order.unusedFen, mostFen)))
  const [reason, setReason] = useState('')
  const [isAsking, setAsking] = useState(false)
  const { orderNo } = order
  const refund = useAction('office/refund', {
    refresh: ['office/orders', 'office/invoices'],
    quiet: true,
    onDone: (changed) => {
      toast.success(t(order.method === 'transfer' ? 'refund.toSend' : 'refund.done', { orderNo }))
      onDone(changed)
      onClose()
    },
  })
  const amountFen = parseYuan(amount)
  const isTooMuch = amountFen !== null && amountFen > mostFen
  const isReady = amountFen !== null && amountFen > 0 && !isTooMuch && reason.trim() !== ''
  const sum = formatFen(amountFen ?? 0)
  const level = order.model?.name ?? order.custom?.title ?? t(`levels:${levelName(order.level)}`)
  const way = t(order.method === 'transfer' ? 'refund.byTransfer' : 'refund.byProvider')
  // A refusal is told in the dialog below.
  const handleConfirm = async () => {
    if (amountFen !== null)
      await refund.mutateAsync({ orderNo, amountFen, reason: reason.trim() }).catch(() => {})
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('refund.title')}
      okText={t('refund.next')}
      okButtonProps={{ disabled: !isReady, danger: true }}
      cancelText={t('common:cancel')}
      onOk={() => setAsking(true)}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Alert type="warning" showIcon title={t('refund.ends', { level })} />
        <p>{way}</p>
        {order.invoice?.state === 'issued' && (
          <Alert type="warning" showIcon title={t('refund.invoice', { number: order.invoice.number })} />
        )}
        <YuanField
          id="refund-amount"
          label={t('refund.amount')}
          text={amount}
          problem={isTooMuch ? t('refund.tooMuch', { most: formatFen(mostFen) }) : null}
          help={
            order.kind !== 'plan'
              ? t(order.custom ? 'refund.wholeCustom' : 'refund.whole', { amount: formatFen(mostFen) })
              : t('refund.amountHelp', { unused: formatFen(order.unusedFen), most: formatFen(mostFen) })
          }
          onText={setAmount}
        />
        <WordsField
          id="refund-reason"
          label={t('refund.reason')}
          text={reason}
          maxLength={limits.reasonLength}
          help={t('refund.reasonHelp')}
          isLong
          onText={setReason}
        />
        {refund.error !== null && (
          <p role="alert" className={styles.problem}>
            {messageOf(refund.error)}
          </p>
        )}
      </div>
      <ConfirmRemove
        open={isAsking}
        title={t('refund.sure', { amount: sum })}
        text={t('refund.sureText', { level, name: order.nickName })}
        confirmLabel={t('refund.confirm', { amount: sum })}
        onConfirm={handleConfirm}
        onClose={() => setAsking(false)}
      />
    </Modal>
  )
}
