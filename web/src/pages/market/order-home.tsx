import { roles } from '@neuroloom/contract/accounts/roles'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useSearchParams } from 'react-router'
import { Introduction } from '../../features/introductions/introduction.tsx'
import { CaseDialog } from '../../features/market/case-dialog.tsx'
import { CaseList } from '../../features/market/case-list.tsx'
import { DemandList } from '../../features/market/demand-list.tsx'
import { useIsOff } from '../../lib/modules.ts'
import { useUser } from '../../lib/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { WhereSold } from '../shop/where-sold.tsx'
import { OwnFilePicker } from './own-file-picker.tsx'

/** A provider has no personal centre: what the work brought stands here. */
const OwnWallet = lazyPart(async () => (await import('../../features/wallet/own-wallet.tsx')).OwnWallet)

const tabs = ['open', 'offered', 'work', 'own', 'cases', 'wallet'] as const
/** What is under way goes on while the market is switched off, and money can be withdrawn. */
const tabsWhileOff: readonly (typeof tabs)[number][] = ['work', 'own', 'wallet']

/** `/orderHome`: the module of service providers; `?tab=`: its parts. Everybody else comes by the shop. */
export function OrderHome() {
  const user = useUser()
  if (user && user.role !== roles.provider) return <Navigate replace to="/shopHome?tab=demands" />
  return <ProviderHome />
}

function ProviderHome() {
  const { t } = useTranslation('market')
  const [query] = useSearchParams()
  const user = useUser()
  const isOff = useIsOff('market')
  const shown = isOff ? tabsWhileOff : tabs
  const tab = shown.find((one) => one === query.get('tab')) ?? (isOff ? 'work' : 'open')
  return (
    <>
      <Introduction module="order" />
      <Page>
        <PageHeader
          title={t('title')}
          name={tab === 'open' ? t('title') : `${t(`tab.${tab}`)} · ${t('title')}`}
          subtitle={t('subtitle')}
          actions={
            user && !isOff && <Link to={`/serviceProviderDetail?id=${user.id}`}>{t('provider.own')}</Link>
          }
        />
        <WhereSold>
          <TabLinks
            label={t('title')}
            tabs={shown.map((key) => ({
              key,
              label: t(`tab.${key}`),
              to: key === 'open' ? '/orderHome' : `/orderHome?tab=${key}`,
            }))}
            current={tab}
          />
          <Shown tab={tab} />
        </WhereSold>
      </Page>
    </>
  )
}

function Shown({ tab }: { tab: (typeof tabs)[number] }) {
  switch (tab) {
    case 'cases':
      return <OwnCases />
    case 'wallet':
      return (
        <Suspense fallback={<Loading shape="rows" />}>
          <OwnWallet />
        </Suspense>
      )
    default:
      return <DemandList key={tab} which={tab} />
  }
}

/** Finished work that the provider shows, and showing more of it. */
function OwnCases() {
  const { t } = useTranslation('market')
  const [isAdding, setAdding] = useState(false)
  const add = <Button onClick={() => setAdding(true)}>{t('case.add')}</Button>
  return (
    <>
      <div>{add}</div>
      <CaseList isOwn />
      {isAdding && <CaseDialog shown={null} Picker={OwnFilePicker} onClose={() => setAdding(false)} />}
    </>
  )
}
