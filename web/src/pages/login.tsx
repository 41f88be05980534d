import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import { Entrance } from '../features/accounts/entrance/entrance.tsx'
import { LoginForm } from '../features/accounts/entrance/login-form.tsx'
import { user } from '../lib/session.ts'
import { type SignInTicket, takeTicket } from '../lib/sign-in-ticket.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useEntrance } from './use-entrance.ts'

/** Most accounts never see it. */
const CodeStep = lazyPart(
  async () => (await import('../features/accounts/entrance/code-step.tsx')).CodeStep,
  {
    isPage: true,
  },
)

export function Login() {
  const { t } = useTranslation('accounts')
  const goIn = useEntrance()
  // Only who arrives signed in is sent on; after a sign-in the page stays until the workspace has loaded.
  const [arrivedSignedIn] = useState(() => user() !== null)
  const [waiting, setWaiting] = useState<SignInTicket | null>(takeTicket)
  if (arrivedSignedIn) return <Navigate to="/mangeHome" replace />
  if (waiting !== null)
    return (
      <Suspense fallback={null}>
        <CodeStep waiting={waiting} onSignedIn={goIn} onBack={() => setWaiting(null)} />
      </Suspense>
    )
  return (
    <Entrance title={t('login.title')} lead={t('login.welcome')}>
      <LoginForm onSignedIn={goIn} onCodeNeeded={(ticket) => setWaiting({ ticket, byLink: false })} />
    </Entrance>
  )
}
