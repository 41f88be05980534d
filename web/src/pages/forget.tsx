import { useTranslation } from 'react-i18next'
import { Entrance } from '../features/accounts/entrance.tsx'
import { ForgetForm } from '../features/accounts/forget-form.tsx'
import { useLeaveForLogin } from './leave-for-login.ts'

export function Forget() {
  const { t } = useTranslation('accounts')
  const leave = useLeaveForLogin(t('forget.done'))
  return (
    <Entrance title={t('forget.title')} lead={t('forget.lead')} needsRegistration>
      <ForgetForm onDone={leave} />
    </Entrance>
  )
}
