import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import { Entrance } from '../features/accounts/entrance/entrance.tsx'
import { LoginForm } from '../features/accounts/entrance/login-form.tsx'
import { user } from '../lib/session.ts'
import { useEntrance } from './use-entrance.ts'

export function Login() {
  const { t } = useTranslation('accounts')
  const goIn = useEntrance()
  // Only who arrives signed in is sent on; after a sign-in the page stays until the workspace has loaded.
  const [arrivedSignedIn] = useState(() => user() !== null)
  if (arrivedSignedIn) return <Navigate to="/mangeHome" replace />
  return (
    <Entrance title={t('login.title')} lead={t('login.welcome')}>
      <LoginForm onSignedIn={goIn} />
    </Entrance>
  )
}
