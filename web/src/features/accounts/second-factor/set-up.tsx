import type { Answer } from '@neuroloom/contract/calls'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import * as session from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { QrCode } from '../../../ui/pictures/qr-code.tsx'
import { AskPassword } from './ask-password.tsx'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './second-factor.module.css'

type Secret = Answer<'user/secondFactorStart'>

/** Password, QR code with the first code of the app, recovery codes. */
export function SetUp({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { t } = useTranslation(['second-factor', 'common'])
  const [secret, setSecret] = useState<Secret | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const userId = session.user()?.id ?? ''
  const cancel = (
    <Button look="quiet" onClick={onCancel}>
      {t('common:cancel')}
    </Button>
  )
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (secret === null)
    return (
      <div className={styles.steps}>
        <p>{t('setUp.password')}</p>
        <AskPassword
          label={t('setUp.begin')}
          submit={t('setUp.next')}
          send={async (password) => setSecret(await call('user/secondFactorStart', { userId, password }))}
        >
          {cancel}
        </AskPassword>
      </div>
    )
  const confirm = async (code: string) => {
    const { recoveryCodes } = await call('user/secondFactorConfirm', { userId, code })
    toast.success(t('setUp.done'))
    setCodes(recoveryCodes)
  }
  return (
    <div className={styles.steps}>
      <section>
        <h3>{t('setUp.scanTitle')}</h3>
        <p>{t('setUp.scan')}</p>
      </section>
      <div className={styles.code}>
        <QrCode text={secret.address} label={t('setUp.qr')} />
        <div className={styles.secret}>
          <p>{t('setUp.type')}</p>
          {/* In groups, as it is easier typed. */}
          <code>{secret.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </div>
      </div>
      <section>
        <h3>{t('setUp.codeTitle')}</h3>
        <p>{t('setUp.code')}</p>
      </section>
      <CodeForm
        hasRecovery={false}
        label={t('setUp.codeTitle')}
        submit={t('setUp.submit')}
        send={confirm}
        onDone={() => undefined}
      >
        {cancel}
      </CodeForm>
    </div>
  )
}
