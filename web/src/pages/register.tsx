import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Entrance } from '../features/accounts/entrance.tsx'
import { MemberForm } from '../features/accounts/member-form.tsx'
import { ModeSwitch } from '../features/accounts/mode-switch.tsx'
import { RegisterForm } from '../features/accounts/register-form.tsx'
import { useLeaveForLogin } from './leave-for-login.ts'
import styles from './register.module.css'

export function Register() {
  const { t } = useTranslation(['accounts', 'member'])
  const [query, setQuery] = useSearchParams()
  const isMember = query.get('form') === 'member'
  const leave = useLeaveForLogin()
  const [isDone, setIsDone] = useState(false)
  const done = (account: string) => {
    setIsDone(true)
    leave(t('register.done', { account }))
  }
  return (
    <Entrance
      title={t('register.title')}
      lead={t(isMember ? 'member:register.memberLead' : 'register.lead')}
      needsRegistration
      isWide={isMember}
    >
      <div className={styles.kind}>
        <ModeSwitch
          label={t('register.kind')}
          modes={{ visitor: t('register.visitor'), member: t('register.member') }}
          mode={isMember ? 'member' : 'visitor'}
          onChange={(mode) => !isDone && setQuery(mode === 'member' ? { form: mode } : {}, { replace: true })}
        />
      </div>
      {isMember ? <MemberForm onDone={done} /> : <RegisterForm onDone={done} />}
    </Entrance>
  )
}
