import type { Listing } from '@neuroloom/contract/shop/listing'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { SaveDialog } from '../../../ui/save-dialog.tsx'
import styles from '../shop.module.css'
import { type AboutDraft, AboutForm, aboutOf, emptyAbout } from './about-form.tsx'

/** What is said of an own listing, and its price for later buyers. */
export function EditDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useCall('shop/detail', { id }, { quiet: true })
  return data ? <Form listing={data} onClose={onClose} /> : null
}

function Form({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const { t } = useTranslation('shop')
  const [draft, setDraft] = useState(() => draftOf(listing))
  const edit = useAction('shop/edit', { quiet: true, refresh: ['shop/mine', 'shop/detail', 'shop/list'] })
  const about = aboutOf(draft)
  return (
    <SaveDialog
      width={720}
      title={t('own.editTitle', { name: listing.name })}
      isDisabled={about === null}
      onSave={async () => about && edit.mutateAsync({ id: listing.id, about })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p className={styles.help}>{t('own.editText')}</p>
        <AboutForm draft={draft} isAsked onChange={setDraft} />
        {edit.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(edit.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

/** Of a listing what its seller said. */
function draftOf(listing: Listing): AboutDraft {
  const { name, introduction, features, organ, modality, licence, dataLicence, priceYuan } = listing
  const { intendedUse, outOfScope, population, limitations } = listing
  return {
    ...emptyAbout,
    ...{ name, introduction, features, organ, modality, licence, dataLicence, priceYuan },
    ...{ intendedUse, outOfScope, population, limitations },
  }
}
