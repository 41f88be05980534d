import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/copy-text.ts'
import { saveBlob } from '../../../lib/download.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './second-factor.module.css'

/** Shown this once: the server keeps only what they are checked by. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('second-factor')
  const lines = codes.join('\n')
  const copy = async () => {
    if (await copyText(lines)) toast.success(t('codes.copied'))
    else toast.warning(t('codes.notCopied'))
  }
  const save = () => {
    const text = `${t('codes.file')}\n\n${lines}\n`
    saveBlob('neuroloom-recovery-codes.txt', new Blob([text], { type: 'text/plain;charset=utf-8' }))
  }
  return (
    <div className={styles.steps}>
      <section>
        <h3>{t('codes.title')}</h3>
        <p>{t('codes.text')}</p>
      </section>
      <ul className={styles.codes} aria-label={t('codes.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button look="quiet" onClick={save}>
          {t('codes.save')}
        </Button>
        <Button look="quiet" onClick={() => void copy()}>
          {t('codes.copy')}
        </Button>
        <Button onClick={onDone}>{t('codes.done')}</Button>
      </div>
    </div>
  )
}
