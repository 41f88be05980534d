import { roles } from '@neuroloom/contract/accounts/roles'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../lib/session.ts'

/** Where a page of the market leads back to: providers have the module of orders, everybody else comes by the shop. */
export function useMarketHome(tab: 'demands' | 'cases' | 'providers'): { to: string; label: string } {
  const { t } = useTranslation('market')
  const isProvider = useUser()?.role === roles.provider
  if (isProvider && tab === 'demands') return { to: '/orderHome', label: t('title') }
  if (isProvider && tab === 'cases') return { to: '/orderHome?tab=cases', label: t('tab.cases') }
  return { to: `/shopHome?tab=${tab}`, label: t(tab) }
}
