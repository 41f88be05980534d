import { CopyOutlined } from '@ant-design/icons'
import type { Partner } from '@neuroloom/contract/accounts/partners'
import { Alert, Button, Input, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copy-text.ts'
import { toast } from '../../lib/toast.ts'
import styles from './members.module.css'

export type GivenSecret = { partner: Partner; secret: string }

/** Shown this once: the server keeps only what it is checked by. */
export function SecretShown({ given, onClose }: { given: GivenSecret; onClose: () => void }) {
  const { t } = useTranslation('partners')
  const { partner, secret } = given
  const copy = async () => {
    if (await copyText(secret)) toast.success(t('secret.copied'))
    else toast.warning(t('secret.notCopied'))
  }
  return (
    <Modal
      open
      centered
      width={560}
      title={t('secret.title', { name: partner.name })}
      // A click beside it would lose the secret.
      mask={{ closable: false }}
      footer={
        <>
          <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
            {t('secret.copy')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('secret.done')}
          </Button>
        </>
      }
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Alert type="warning" showIcon title={t('secret.once')} description={t('secret.hand')} />
        <label htmlFor="partner-number">{t('number')}</label>
        <Input id="partner-number" readOnly value={partner.id} onFocus={({ target }) => target.select()} />
        <label htmlFor="partner-secret">{t('secret.secret')}</label>
        <Input id="partner-secret" readOnly value={secret} onFocus={({ target }) => target.select()} />
      </div>
    </Modal>
  )
}
