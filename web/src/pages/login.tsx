import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { Entrance } from '../features/accounts/entrance.tsx'
import { LoginForm } from '../features/accounts/login-form.tsx'
import { user } from '../lib/session.ts'

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

/** To the start page, or with a data-group number to the groups of the cloud. */
function useEntrance(): () => void {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const group = query.get('nbr')
  useEffect(() => {
    if (group !== null) sessionStorage.setItem('current', '4')
  }, [group])
  return () => void navigate(group === null ? '/mangeHome' : `/cloudHome?nbr=${encodeURIComponent(group)}`)
}
