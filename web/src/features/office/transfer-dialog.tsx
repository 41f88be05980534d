import { membership as limits } from '@neuroloom/contract/limits'
import { parseYuan } from '@neuroloom/contract/membership/money'
import type { OfficeOrder } from '@neuroloom/contract/membership/orders'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import { levelName } from '../../lib/level-names.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { DeedDialog } from './deed-dialog.tsx'
import { WordsField } from './words-field.tsx'
import { YuanField } from './yuan-field.tsx'

export type OrderDialogProps = {
  order: OfficeOrder
  onDone: (order: OfficeOrder) => void
  onClose: () => void
}

/** A bank transfer has arrived. The amount is typed from the statement and never suggested, so that it is compared. */
export function TransferDialog({ order, onDone, onClose }: OrderDialogProps) {
  const { t } = useTranslation(['office', 'levels'])
  const { orderNo, level } = order
  const [reference, setReference] = useState('')
  const [amount, setAmount] = useState('')
  const confirm = useAction('office/confirmTransfer', {
    refresh: ['office/orders'],
    quiet: true,
    onDone: (changed) => {
      toast.success(t('transfer.done', { orderNo }))
      onDone(changed)
    },
  })
  const amountFen = parseYuan(amount)
  const isReady = reference.trim() !== '' && amountFen !== null && amountFen > 0
  const { kind, model, work, custom } = order
  const params = {
    what: (model ?? work)?.name ?? custom?.title ?? t(`levels:${levelName(level)}`),
    name: order.nickName,
  }
  return (
    <DeedDialog
      title={t('transfer.title')}
      text={`${t(`transfer.texts.${kind}`, params)} ${t('transfer.both')}`}
      saveLabel={
        amountFen === null ? t('transfer.confirm') : t('transfer.confirmOf', { amount: formatFen(amountFen) })
      }
      isDisabled={!isReady}
      error={confirm.error}
      onSave={async () => {
        if (amountFen !== null) await confirm.mutateAsync({ orderNo, reference: reference.trim(), amountFen })
      }}
      onClose={onClose}
    >
      <WordsField
        id="transfer-reference"
        label={t('transfer.reference')}
        text={reference}
        maxLength={limits.referenceLength}
        help={t('transfer.referenceHelp')}
        onText={setReference}
      />
      <YuanField
        id="transfer-amount"
        label={t('transfer.amount')}
        text={amount}
        help={t('transfer.amountHelp')}
        onText={setAmount}
      />
    </DeedDialog>
  )
}
