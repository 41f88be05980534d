import type { OfficeTask } from '@neuroloom/contract/custom/task-calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { parseYuan } from '@neuroloom/contract/membership/money'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { DeedDialog } from './deed-dialog.tsx'
import { WordsField } from './words-field.tsx'
import { YuanField } from './yuan-field.tsx'

type Props = { task: OfficeTask; onClose: () => void }

const refresh = ['office/customTasks' as const]
const ACCOUNT_LENGTH = 200

/** A price that is not fixed is set with the approval; the task waits until it is paid. */
export function ApproveTaskDialog({ task, onClose }: Props) {
  const { t } = useTranslation('custom-office')
  const [amount, setAmount] = useState('')
  const needsPrice = task.priceFen === null
  const priceFen = parseYuan(amount)
  const decide = useDecide()
  return (
    <DeedDialog
      title={t('approve.title', { title: task.title })}
      text={t(needsPrice ? 'approve.textPrice' : 'approve.text')}
      saveLabel={
        needsPrice && priceFen ? t('approve.at', { amount: formatFen(priceFen) }) : t('approve.save')
      }
      isDisabled={needsPrice && priceFen === null}
      error={decide.error}
      onSave={() =>
        decide.mutateAsync({
          id: task.id,
          decision: { is: 'approved', priceFen: needsPrice ? priceFen : null },
        })
      }
      onClose={onClose}
    >
      {needsPrice && (
        <YuanField
          id="custom-price"
          label={t('fact.price')}
          text={amount}
          help={t('approve.priceHelp')}
          onText={setAmount}
        />
      )}
    </DeedDialog>
  )
}

/** The member reads why, and gets back what was paid. */
export function RejectTaskDialog({ task, onClose }: Props) {
  const { t } = useTranslation('custom-office')
  const [reason, setReason] = useState('')
  const decide = useDecide()
  return (
    <DeedDialog
      title={t('reject.title', { title: task.title })}
      text={t(task.isPaid ? 'reject.textPaid' : 'reject.text')}
      saveLabel={t('reject.save')}
      isDanger
      isDisabled={reason.trim() === ''}
      error={decide.error}
      onSave={() => decide.mutateAsync({ id: task.id, decision: { is: 'rejected', reason: reason.trim() } })}
      onClose={onClose}
    >
      <WordsField
        id="custom-reason"
        label={t('fact.reason')}
        help={t('reject.help')}
        text={reason}
        maxLength={limits.reasonLength}
        isLong
        onText={setReason}
      />
    </DeedDialog>
  )
}

/** Who works on it; empty = nobody but the administrators. */
export function ProviderDialog({ task, onClose }: Props) {
  const { t } = useTranslation('custom-office')
  const [account, setAccount] = useState(task.provider?.account ?? '')
  const assign = useAction('office/customProvider', {
    refresh,
    quiet: true,
    onDone: () => toast.success(t('provider.done')),
  })
  return (
    <DeedDialog
      title={t('provider.title', { title: task.title })}
      text={t('provider.text')}
      saveLabel={t('provider.save')}
      isDisabled={false}
      error={assign.error}
      onSave={() => assign.mutateAsync({ id: task.id, account: account.trim() })}
      onClose={onClose}
    >
      <WordsField
        id="custom-provider"
        label={t('provider.account')}
        help={t('provider.help')}
        text={account}
        maxLength={ACCOUNT_LENGTH}
        onText={setAccount}
      />
    </DeedDialog>
  )
}

function useDecide() {
  const { t } = useTranslation('custom-office')
  return useAction('office/customTask', {
    refresh: [...refresh, 'office/orders'],
    quiet: true,
    onDone: () => toast.success(t('done')),
  })
}
