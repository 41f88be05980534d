import { membership as limits } from '@neuroloom/contract/limits'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { DeedDialog } from './deed-dialog.tsx'
import type { OrderDialogProps } from './transfer-dialog.tsx'
import { WordsField } from './words-field.tsx'

/** The bank has sent the money of a transfer back. */
export function ReturnedDialog({ order: { orderNo }, onDone, onClose }: OrderDialogProps) {
  const { t } = useTranslation('office')
  const [reference, setReference] = useState('')
  const returned = useAction('office/returned', {
    refresh: ['office/orders'],
    quiet: true,
    onDone: (changed) => {
      toast.success(t('returned.done', { orderNo }))
      onDone(changed)
    },
  })
  return (
    <DeedDialog
      title={t('returned.title')}
      text={t('returned.text')}
      saveLabel={t('returned.confirm')}
      isDisabled={reference.trim() === ''}
      error={returned.error}
      onSave={() => returned.mutateAsync({ orderNo, reference: reference.trim() })}
      onClose={onClose}
    >
      <WordsField
        id="returned-reference"
        label={t('transfer.reference')}
        text={reference}
        maxLength={limits.referenceLength}
        help={t('transfer.referenceHelp')}
        onText={setReference}
      />
    </DeedDialog>
  )
}
