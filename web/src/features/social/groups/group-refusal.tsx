import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../../lib/api.ts'
import { UpgradeLink } from '../../../ui/limits/upgrade-link.tsx'

/** Why the server refused; at a limit of the membership also the way to a higher level. */
export function GroupRefusal({ error }: { error: Error }) {
  const { t } = useTranslation('social')
  const isLimit =
    error instanceof CallError && (error.name === 'plan_limit' || error.name === 'upgrade_needed')
  if (!isLimit) return <Alert type="error" showIcon title={messageOf(error)} />
  return (
    <Alert
      type="warning"
      showIcon
      title={t('group.limitReached')}
      description={
        <>
          {t('group.limitRemedy')} <UpgradeLink />
        </>
      }
    />
  )
}
