import { roles } from '@neuroloom/contract/accounts/roles'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../../lib/session.ts'

/** That the engine lacks packages: what an administrator installs, and whom everybody else asks. */
export function MissingNote({ missing }: { missing: readonly string[] }) {
  const { t } = useTranslation('flow')
  const isAdministrator = useUser()?.role === roles.administrator
  if (missing.length === 0) return null
  const packages = missing.join(', ')
  return (
    <Alert
      type="warning"
      showIcon
      title={t('missing.title')}
      description={isAdministrator ? t('missing.install', { packages }) : t('missing.ask', { packages })}
    />
  )
}
