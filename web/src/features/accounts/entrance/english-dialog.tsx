import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import styles from './agreement-dialog.module.css'

/** The member form is read all over the world: Chinese characters stop it, and this says so. */
export function EnglishDialog({ field, onClose }: { field: string; onClose: () => void }) {
  const { t } = useTranslation(['member', 'common'])
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles.small}`}
      aria-labelledby="english-title"
      aria-describedby="english-text"
      onClose={onClose}
    >
      <h2 id="english-title">{t('english.title')}</h2>
      <p id="english-text">{t('english.text', { field })}</p>
      <Button onClick={() => dialog.current?.close()}>{t('english.close')}</Button>
    </dialog>
  )
}
