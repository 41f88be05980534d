import { roles } from '@neuroloom/contract/accounts/roles'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../../lib/session.ts'

/** That the server cannot read texts: what an administrator installs, and whom everybody else asks. */
export function MissingNote({ missing }: { missing: readonly string[] }) {
  const { t } = useTranslation('texts')
  const isAdministrator = useUser()?.role === roles.administrator
  if (missing.length === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      title={t('missing.title')}
      description={
        isAdministrator ? (
          <>
            {t('missing.install')} <code>{`apt-get install ${missing.join(' ')}`}</code>
          </>
        ) : (
          t('missing.ask')
        )
      }
    />
  )
}
