import type { OwnListing } from '@neuroloom/contract/shop/seller'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { SaveDialog } from '../../../ui/save-dialog.tsx'
import styles from '../shop.module.css'

/** Shares an own model with one member, for nothing. */
export function GiveDialog({ listing, onClose }: { listing: OwnListing; onClose: () => void }) {
  const { t } = useTranslation('shop')
  const field = useId()
  const [account, setAccount] = useState('')
  const give = useAction('shop/give', {
    quiet: true,
    refresh: ['shop/mine'],
    onDone: () => toast.success(t('own.given')),
  })
  return (
    <SaveDialog
      title={t('own.giveTitle', { name: listing.name })}
      saveLabel={t('own.give')}
      isDisabled={account.trim() === ''}
      onSave={() => give.mutateAsync({ id: listing.id, account: account.trim() })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p>{t('own.giveText')}</p>
        <div className={styles.field}>
          <label htmlFor={field}>{t('own.account')}</label>
          <Input
            id={field}
            value={account}
            maxLength={200}
            onChange={({ target }) => setAccount(target.value)}
          />
        </div>
        {give.error && (
          <p role="alert" className={styles.problem}>
            <RefusalText error={give.error} />
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
