import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import styles from './agreement-dialog.module.css'

const parts = ['service', 'data', 'medical', 'conduct', 'end', 'change'] as const

/** The agreement in plain words, in the page's language. */
export function AgreementDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['agreement', 'common'])
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="agreement-title" onClose={onClose}>
      <h2 id="agreement-title">{t('title')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.text} tabIndex={0} aria-labelledby="agreement-title">
        {parts.map((part) => (
          <div key={part}>
            <h3>{t(`${part}.title`)}</h3>
            <p>{t(`${part}.text`)}</p>
          </div>
        ))}
      </section>
      <Button onClick={() => dialog.current?.close()}>{t('common:close')}</Button>
    </dialog>
  )
}
