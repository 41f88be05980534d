/** From a limit of the membership to where it is raised; says nothing to whom no higher level helps. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../lib/query.ts'
import { type UserRecord, useUser } from '../../lib/session.ts'

const HIGHEST = 4
/** Of service providers, who have no personal centre. */
const PROVIDER = 1

export function UpgradeLink() {
  const { t } = useTranslation('common')
  const user = useUser()
  const isHelped = user !== null && helps(user)
  const { data } = useCall(
    'setting/public',
    {},
    { quiet: true, enabled: isHelped, staleTime: Number.POSITIVE_INFINITY },
  )
  // A hospital's own server has no levels.
  if (!isHelped || !data || data.host < 0) return null
  return <Link to="/userCenter?tab=upgrade">{t('upgrade')}</Link>
}

const helps = ({ role, vipLevel, vipSuper }: UserRecord): boolean =>
  role !== PROVIDER && vipSuper === 0 && vipLevel < HIGHEST
