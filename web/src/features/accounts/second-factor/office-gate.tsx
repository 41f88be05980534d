import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { useCall } from '../../../lib/query.ts'
import * as session from '../../../lib/session.ts'
import { subscribe } from '../../../lib/session-factor.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { CodeForm } from './code-form.tsx'
import styles from './second-factor.module.css'
import { SetUp } from './set-up.tsx'

/** What stands before the back-office: the server opens it to administrators with a second factor that was given of late. */
export function OfficeGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation('second-factor')
  const userId = session.useUser()?.id ?? ''
  const { data, isPending, refetch } = useCall('user/secondFactorState', { userId }, { quiet: true })
  // Recovery codes stay on the page until they are stored, although the back-office is open by then.
  const [isSettingUp, setSettingUp] = useState(false)
  // Hours after a page was opened one of its calls may be refused.
  useEffect(() => subscribe(() => void refetch()), [refetch])
  const finish = () => {
    void refetch().then(() => setSettingUp(false))
  }
  if (isPending) return <Loading shape="rows" />
  if (isSettingUp)
    return (
      <Panel title={t('office.setUpTitle')}>
        <SetUp onDone={finish} onCancel={() => setSettingUp(false)} />
      </Panel>
    )
  // Where the answer is missing, the calls of the pages say what is wrong.
  switch (data?.asks) {
    case 'setUp':
      return (
        <Panel title={t('office.setUpTitle')}>
          <div className={styles.steps}>
            <p>{t('office.setUpText')}</p>
            <Button onClick={() => setSettingUp(true)}>{t('setUp.begin')}</Button>
          </div>
        </Panel>
      )
    case 'code':
      return (
        <Panel title={t('office.codeTitle')}>
          <div className={styles.steps}>
            <p>{t('office.codeText')}</p>
            <CodeForm
              label={t('office.codeTitle')}
              submit={t('office.submit')}
              send={(code) => call('user/secondFactorAgain', { userId, code })}
              onDone={finish}
            />
          </div>
        </Panel>
      )
    default:
      return children
  }
}
