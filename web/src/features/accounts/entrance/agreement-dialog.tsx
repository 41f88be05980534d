import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { currentLanguage } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './agreement-dialog.module.css'

const parts = ['service', 'data', 'medical', 'conduct', 'end', 'change'] as const

/** The agreement in plain words, in the page's language, also as a file to keep. */
export function AgreementDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['agreement', 'accounts', 'common'])
  const dialog = useRef<HTMLDialogElement>(null)
  const address = usePdfAddress()
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
      <div className={styles.actions}>
        <Button onClick={() => dialog.current?.close()}>{t('common:close')}</Button>
        {address !== null && (
          <a href={address} download>
            {t('accounts:agreementFile')}
          </a>
        )}
      </div>
    </dialog>
  )
}

const words = { en: 'English', zh: 'Chinese', ru: 'Russian' } as const

/** The server names the Chinese file; the word Chinese in its address stands for the language. */
function usePdfAddress(): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    let isMounted = true
    call('setting/contract', {}, { quiet: true }).then(
      ({ url }) => isMounted && setAddress(url),
      // The text itself stands in the dialog; only the file is missing.
      (error: unknown) => console.error(error),
    )
    return () => {
      isMounted = false
    }
  }, [])
  return address?.replace('Chinese', words[currentLanguage()]) ?? null
}
