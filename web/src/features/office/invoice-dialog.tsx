import { membership as limits } from '@neuroloom/contract/limits'
import type { OfficeInvoice } from '@neuroloom/contract/membership/orders'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { DeedDialog } from './deed-dialog.tsx'
import { WordsField } from './words-field.tsx'

type InvoiceDialogProps = {
  invoice: OfficeInvoice
  decision: 'issued' | 'refused'
  onClose: () => void
}

/** The number under which an invoice was issued, or why it is not; the member is told either. */
export function InvoiceDialog({ invoice: { id, title }, decision, onClose }: InvoiceDialogProps) {
  const { t } = useTranslation('office')
  const [words, setWords] = useState('')
  const isIssued = decision === 'issued'
  const part = isIssued ? 'issue' : 'refuse'
  const decide = useAction('office/invoice', {
    refresh: ['office/invoices', 'office/orders'],
    quiet: true,
    onDone: () => toast.success(t(`${part}.done`)),
  })
  const save = () => {
    const said = words.trim()
    return decide.mutateAsync({
      id,
      decision: isIssued ? { is: 'issued', number: said } : { is: 'refused', reason: said },
    })
  }
  return (
    <DeedDialog
      title={t(`${part}.title`, { title })}
      text={t(`${part}.text`)}
      saveLabel={t(`${part}.confirm`)}
      isDanger={!isIssued}
      isDisabled={words.trim() === ''}
      error={decide.error}
      onSave={save}
      onClose={onClose}
    >
      <WordsField
        id="invoice-words"
        label={t(isIssued ? 'issue.number' : 'refuse.reason')}
        text={words}
        maxLength={isIssued ? limits.referenceLength : limits.reasonLength}
        isLong={!isIssued}
        onText={setWords}
      />
    </DeedDialog>
  )
}
