import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import { CodeStep } from '../features/accounts/entrance/code-step.tsx'
import { Entrance } from '../features/accounts/entrance/entrance.tsx'
import { LoginForm } from '../features/accounts/entrance/login-form.tsx'
import { user } from '../lib/session.ts'
import { type SignInTicket, takeTicket } from '../lib/sign-in-ticket.ts'
import { Button } from '../ui/button.tsx'
import { useEntrance } from './use-entrance.ts'

export function Login() {
  const { t } = useTranslation(['accounts', 'second-factor'])
  const goIn = useEntrance()
  // Only who arrives signed in is sent on; after a sign-in the page stays until the workspace has loaded.
  const [arrivedSignedIn] = useState(() => user() !== null)
  const [waiting, setWaiting] = useState<SignInTicket | null>(takeTicket)
  if (arrivedSignedIn) return <Navigate to="/mangeHome" replace />
  if (waiting !== null)
    return (
      <Entrance
        title={t('second-factor:step.title')}
        lead={t('second-factor:step.lead')}
        foot={
          <Button look="quiet" onClick={() => setWaiting(null)}>
            {t('second-factor:step.back')}
          </Button>
        }
      >
        <CodeStep {...waiting} onSignedIn={goIn} />
      </Entrance>
    )
  return (
    <Entrance title={t('login.title')} lead={t('login.welcome')}>
      <LoginForm onSignedIn={goIn} onCodeNeeded={(ticket) => setWaiting({ ticket, byLink: false })} />
    </Entrance>
  )
}
