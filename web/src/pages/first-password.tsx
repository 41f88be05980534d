import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate } from 'react-router'
import { Entrance } from '../features/accounts/entrance/entrance.tsx'
import { PasswordForm } from '../features/accounts/password-form.tsx'
import { useSignOut } from '../features/accounts/sign-out.ts'
import * as session from '../lib/session.ts'
import { Button } from '../ui/button.tsx'

/** Where the printed password ends: nothing else can be done before. */
export function FirstPassword() {
  const { t } = useTranslation(['accounts', 'common'])
  const user = session.useUser()
  const navigate = useNavigate()
  const signOut = useSignOut()
  if (user === null) return <Navigate to="/login" replace />
  if (!user.mustChangePassword) return <Navigate to="/mangeHome" replace />
  const goOn = () => {
    session.keepMustChange(false)
    void navigate('/mangeHome', { replace: true })
  }
  return (
    <Entrance
      title={t('first.title')}
      lead={t('first.lead')}
      foot={
        <Button look="quiet" onClick={() => void signOut()}>
          {t('common:signOut')}
        </Button>
      }
    >
      <PasswordForm isEntrance onDone={goOn} />
    </Entrance>
  )
}
