import { useTranslation } from 'react-i18next'
import { Entrance } from '../features/accounts/entrance.tsx'
import { RegisterForm } from '../features/accounts/register-form.tsx'
import { useLeaveForLogin } from './leave-for-login.ts'

export function Register() {
  const { t } = useTranslation('accounts')
  const leave = useLeaveForLogin(t('register.done'))
  return (
    <Entrance title={t('register.title')} lead={t('register.lead')} needsRegistration>
      <RegisterForm onDone={leave} />
    </Entrance>
  )
}
