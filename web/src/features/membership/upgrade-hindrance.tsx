import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Hindrance } from './use-upgrade.ts'

/** Why nothing is ordered, and the way out where there is one. */
export function UpgradeHindrance({ hindrance, onClose }: { hindrance: Hindrance; onClose: () => void }) {
  const { t } = useTranslation('membership')
  const leadsToProfile = hindrance === 'name' || hindrance === 'form'
  return (
    <Alert
      type="warning"
      showIcon
      title={t(`upgrade.hindrance.${hindrance}`)}
      {...(leadsToProfile
        ? {
            description: (
              <Link to="/userCenter?tab=member" onClick={onClose}>
                {t('upgrade.toProfile')}
              </Link>
            ),
          }
        : {})}
    />
  )
}
