/** From a limit of the membership to where it is raised; says nothing to whom no higher level helps. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { upgradeAddress, useCanUpgrade } from './use-can-upgrade.ts'

export function UpgradeLink() {
  const { t } = useTranslation('common')
  return useCanUpgrade() ? <Link to={upgradeAddress}>{t('upgrade')}</Link> : null
}
