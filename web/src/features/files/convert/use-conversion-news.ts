import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useLive } from '../../../lib/live.ts'
import { useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'

export const conversionsAddress = '/cloudHome?tab=conversions'

/** Says in the folders that a conversion has ended, and leads to what came of it. */
export function useConversionNews(): void {
  const { t } = useTranslation('conversions')
  const navigate = useNavigate()
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, {
    onEvent: ({ type, data }) => {
      if (type !== 'conversion') return
      const action = { label: t('start.show'), onClick: () => void navigate(conversionsAddress) }
      if (data.state === 'done') toast.success(t('start.ended'), { action })
      if (data.state === 'failed') toast.error(t('start.failed'), { action })
    },
  })
}
