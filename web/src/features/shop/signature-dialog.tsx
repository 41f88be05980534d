import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { saveBlob } from '../../lib/download.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './shop.module.css'

/** OpenSSL 3: the statement's bytes, the signature's, and the key. */
const COMMAND =
  'base64 -d signature.txt > signature.bin && openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in statement.json -sigfile signature.bin'

/** What the platform put its signature to, word for word, and how anybody checks it without the platform. */
export function SignatureDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation(['shop', 'common'])
  const { data, error, refetch } = useCall('shop/statement', { id }, { quiet: true })
  const save = (name: string, text: string) => saveBlob(name, new Blob([text], { type: 'text/plain' }))
  return (
    <Modal open centered width={680} title={t('signature.title')} footer={null} onCancel={onClose}>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && (
        <div className={styles.form}>
          <p>{t('signature.text')}</p>
          <pre className={styles.code}>{data.statement}</pre>
          <div className={styles.line}>
            <Button onClick={() => save('statement.json', data.statement)}>{t('signature.statement')}</Button>
            <Button onClick={() => save('signature.txt', data.signature)}>{t('signature.signature')}</Button>
            <Button onClick={() => save('key.pem', data.publicKey)}>{t('signature.key')}</Button>
          </div>
          <p>{t('signature.how')}</p>
          <pre className={styles.code}>{COMMAND}</pre>
        </div>
      )}
    </Modal>
  )
}
