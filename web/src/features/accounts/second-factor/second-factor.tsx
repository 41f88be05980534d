import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { useCall } from '../../../lib/query.ts'
import * as session from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './second-factor.module.css'
import { SetUp } from './set-up.tsx'

/** Few recovery codes are said before there are none. */
const FEW_CODES = 3

type Doing = 'nothing' | 'setUp' | 'codes' | 'off'

/** The own second factor: off, being set up, or on with its recovery codes. */
export function SecondFactor() {
  const { t } = useTranslation('second-factor')
  const userId = session.useUser()?.id ?? ''
  const { data, error, refetch } = useCall('user/secondFactorState', { userId }, { quiet: true })
  const [doing, setDoing] = useState<Doing>('nothing')
  const finish = () => {
    setDoing('nothing')
    void refetch()
  }
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (doing === 'setUp') return <SetUp onDone={finish} onCancel={finish} />
  if (doing === 'codes') return <NewCodes onDone={finish} />
  if (doing === 'off') return <TurnOff onDone={finish} />
  if (!data.isOn)
    return (
      <div className={styles.steps}>
        <p>{t('text')}</p>
        <Button onClick={() => setDoing('setUp')}>{t('setUp.begin')}</Button>
      </div>
    )
  return (
    <div className={styles.steps}>
      <p className={styles.on}>{t('on')}</p>
      <p>{t('onText')}</p>
      <p className={data.codesLeft <= FEW_CODES ? styles.few : ''}>
        {t('codes.left', { count: data.codesLeft })}
      </p>
      <div className={styles.buttons}>
        <Button look="quiet" onClick={() => setDoing('codes')}>
          {t('codes.renew')}
        </Button>
        <Button look="quiet" onClick={() => setDoing('off')}>
          {t('off.begin')}
        </Button>
      </div>
    </div>
  )
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('second-factor')
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  const send = async (code: string, password: string) => {
    const userId = session.user()?.id ?? ''
    setCodes((await call('user/secondFactorCodes', { userId, password, code })).recoveryCodes)
  }
  return (
    <div className={styles.steps}>
      <p>{t('codes.renewText')}</p>
      <CodeForm hasPassword label={t('codes.renew')} submit={t('codes.renew')} send={send} onDone={nothing}>
        <Cancel onClick={onDone} />
      </CodeForm>
    </div>
  )
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('second-factor')
  const send = (code: string, password: string) =>
    call('user/secondFactorOff', { userId: session.user()?.id ?? '', password, code })
  const finish = () => {
    toast.success(t('off.done'))
    onDone()
  }
  return (
    <div className={styles.steps}>
      <p>{t('off.text')}</p>
      <CodeForm hasPassword label={t('off.begin')} submit={t('off.submit')} send={send} onDone={finish}>
        <Cancel onClick={onDone} />
      </CodeForm>
    </div>
  )
}

function Cancel({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('common')
  return (
    <Button look="quiet" onClick={onClick}>
      {t('cancel')}
    </Button>
  )
}

const nothing = () => undefined
