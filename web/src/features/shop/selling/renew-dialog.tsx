import { shop as limits } from '@neuroloom/contract/limits'
import type { OwnListing } from '@neuroloom/contract/shop/seller'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { SaveDialog } from '../../../ui/save-dialog.tsx'
import styles from '../shop.module.css'
import { TestChoice } from './test-choice.tsx'

/** A new version: buyers get it when it was measured again. */
export function RenewDialog({ listing, onClose }: { listing: OwnListing; onClose: () => void }) {
  const { t } = useTranslation('shop')
  const field = useId()
  const [testId, setTestId] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const renew = useAction('shop/renew', {
    quiet: true,
    refresh: ['shop/mine', 'shop/detail', 'runs/list'],
    onDone: () => toast.success(t('own.offered')),
  })
  return (
    <SaveDialog
      width={640}
      title={t(listing.version === 0 ? 'own.again' : 'own.renew')}
      saveLabel={t('own.send')}
      isDisabled={testId === null}
      onSave={async () => testId && renew.mutateAsync({ id: listing.id, testId, note })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <TestChoice chosen={testId} task={listing.task} onChoose={setTestId} />
        <div className={styles.field}>
          <label htmlFor={field}>{t('own.note')}</label>
          <Input
            id={field}
            maxLength={limits.lineLength}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
        {renew.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(renew.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
