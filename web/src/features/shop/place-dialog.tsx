import type { Listing } from '@neuroloom/contract/shop/listing'
import { Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { RefusalText } from '../../ui/limits/refusal-text.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './shop.module.css'

/** A free place of the membership; where all are taken, the one that another model gives up. */
export function PlaceDialog({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const { t } = useTranslation('shop')
  const { most, held } = listing.mine.places
  const isFull = most !== null && held.length >= most
  const [instead, setInstead] = useState<string | null>(null)
  const place = useAction('shop/place', {
    quiet: true,
    refresh: ['shop/detail', 'shop/list', 'shop/held'],
  })
  return (
    <SaveDialog
      title={t('place.title')}
      saveLabel={t('place.take')}
      isDisabled={isFull && instead === null}
      onSave={() => place.mutateAsync({ id: listing.id, instead })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p>{t('place.text', { count: most ?? 0 })}</p>
        {isFull && (
          <>
            <p>{t('place.full')}</p>
            <Radio.Group
              className={styles.radio ?? ''}
              aria-label={t('place.full')}
              value={instead}
              onChange={({ target }) => setInstead(target.value)}
              options={held.map(({ id, name, freeFrom }) => ({
                value: id,
                disabled: Date.parse(freeFrom) > Date.now(),
                label: t(Date.parse(freeFrom) > Date.now() ? 'place.from' : 'place.now', {
                  name,
                  date: formatDate(freeFrom, 'day'),
                }),
              }))}
            />
          </>
        )}
        {place.error && (
          <p role="alert" className={styles.problem}>
            <RefusalText error={place.error} />
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
