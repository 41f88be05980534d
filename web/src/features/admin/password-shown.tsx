import { CopyOutlined } from '@ant-design/icons'
import { Alert, Button, Input, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copy-text.ts'
import { toast } from '../../lib/toast.ts'
import styles from './members.module.css'

/** A password that an account has just got. */
export type Given = { account: string; nickName: string; password: string }

/** Shown this once: the server keeps only what it is checked by. */
export function PasswordShown({ given, onClose }: { given: Given; onClose: () => void }) {
  const { t } = useTranslation(['members', 'common'])
  const { account, nickName, password } = given
  const copy = async () => {
    if (await copyText(t('given.text', { account, password }))) toast.success(t('given.copied'))
    else toast.warning(t('given.notCopied'))
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('given.title', { name: nickName })}
      // A click beside it would lose the password.
      mask={{ closable: false }}
      footer={
        <>
          <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
            {t('given.copy')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('given.done')}
          </Button>
        </>
      }
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Alert type="warning" showIcon title={t('given.once')} description={t('given.hand')} />
        <label htmlFor="given-account">{t('account')}</label>
        <Input id="given-account" readOnly value={account} onFocus={({ target }) => target.select()} />
        <label htmlFor="given-password">{t('given.password')}</label>
        <Input id="given-password" readOnly value={password} onFocus={({ target }) => target.select()} />
      </div>
    </Modal>
  )
}
