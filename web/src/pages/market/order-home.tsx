import { roles } from '@neuroloom/contract/accounts/roles'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { Introduction } from '../../features/introductions/introduction.tsx'
import { DemandList } from '../../features/market/demand-list.tsx'
import { useUser } from '../../lib/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { WhereSold } from '../shop/where-sold.tsx'

/** A provider has no personal centre: what the work brought stands here. */
const OwnWallet = lazyPart(async () => (await import('../../features/wallet/own-wallet.tsx')).OwnWallet)

const tabs = ['open', 'offered', 'work', 'own', 'wallet'] as const

/** `/orderHome`: the module of service providers; `?tab=`: its parts. Everybody else comes by the shop. */
export function OrderHome() {
  const user = useUser()
  if (user && user.role !== roles.provider) return <Navigate replace to="/shopHome?tab=demands" />
  return <ProviderHome />
}

function ProviderHome() {
  const { t } = useTranslation('market')
  const [query] = useSearchParams()
  const tab = tabs.find((one) => one === query.get('tab')) ?? 'open'
  return (
    <>
      <Introduction module="order" />
      <Page>
        <PageHeader
          title={t('title')}
          name={tab === 'open' ? t('title') : `${t(`tab.${tab}`)} · ${t('title')}`}
          subtitle={t('subtitle')}
        />
        <WhereSold>
          <TabLinks
            label={t('title')}
            tabs={tabs.map((key) => ({
              key,
              label: t(`tab.${key}`),
              to: key === 'open' ? '/orderHome' : `/orderHome?tab=${key}`,
            }))}
            current={tab}
          />
          {tab === 'wallet' ? (
            <Suspense fallback={<Loading shape="rows" />}>
              <OwnWallet />
            </Suspense>
          ) : (
            <DemandList key={tab} which={tab} />
          )}
        </WhereSold>
      </Page>
    </>
  )
}
