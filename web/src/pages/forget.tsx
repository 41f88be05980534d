import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Entrance } from '../features/accounts/entrance/entrance.tsx'
import { ForgetForm } from '../features/accounts/entrance/forget-form.tsx'
import { usePublicSetting } from '../features/accounts/entrance/public-setting.ts'
import { useLeaveWithWord } from './leave-with-word.ts'

export function Forget() {
  const { t } = useTranslation('accounts')
  const setting = usePublicSetting()
  const navigate = useNavigate()
  const leave = useLeaveWithWord(() => void navigate('/login', { replace: true }))
  return (
    <Entrance
      title={t('forget.title')}
      lead={t(setting?.mail ? 'forget.leadBoth' : 'forget.lead')}
      needs="renewal"
    >
      <ForgetForm onDone={() => leave(t('forget.done'))} />
    </Entrance>
  )
}
