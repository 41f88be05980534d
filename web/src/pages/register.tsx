import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Entrance } from '../features/accounts/entrance/entrance.tsx'
import { ModeSwitch } from '../features/accounts/entrance/mode-switch.tsx'
import { RegisterForm } from '../features/accounts/entrance/register-form.tsx'
import { MemberForm } from '../features/accounts/member-form.tsx'
import { useLeaveWithWord } from './leave-with-word.ts'
import styles from './register.module.css'
import { useEntrance } from './use-entrance.ts'

export function Register() {
  const { t } = useTranslation(['accounts', 'member'])
  const [query, setQuery] = useSearchParams()
  const isMember = query.get('form') === 'member'
  const leave = useLeaveWithWord(useEntrance())
  const [isDone, setIsDone] = useState(false)
  const done = (account: string) => {
    setIsDone(true)
    leave(t('register.done', { account }))
  }
  return (
    <Entrance
      title={t('register.title')}
      lead={t(isMember ? 'member:register.memberLead' : 'register.lead')}
      needs="registration"
      isWide={isMember}
    >
      <div className={styles.kind}>
        <ModeSwitch
          label={t('register.kind')}
          modes={{ visitor: t('register.visitor'), member: t('register.member') }}
          mode={isMember ? 'member' : 'visitor'}
          onChange={(mode) => !isDone && setQuery(withForm(mode), { replace: true })}
        />
      </div>
      {isMember ? <MemberForm onDone={done} /> : <RegisterForm onDone={done} />}
    </Entrance>
  )
}

/** The rest of the address, such as a group to join, stays. */
const withForm = (mode: 'visitor' | 'member') => (before: URLSearchParams) => {
  const after = new URLSearchParams(before)
  if (mode === 'member') after.set('form', mode)
  else after.delete('form')
  return after
}
