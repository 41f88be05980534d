import type { ModuleName } from '@neuroloom/contract/office/modules'
import { Button, Segmented } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { CaseList } from '../../features/market/case-list.tsx'
import { DemandList } from '../../features/market/demand-list.tsx'
import { ProviderList } from '../../features/market/provider-list.tsx'
import { RulesDrawer } from '../../features/shop/rules.tsx'
import styles from '../../features/shop/shop.module.css'
import { ShopList } from '../../features/shop/shop-list.tsx'
import { useModulesOff } from '../../lib/modules.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { WhereSold } from './where-sold.tsx'

const TemplateForm = lazyPart(
  async () => (await import('../../features/networks/panels/home/template-form.tsx')).TemplateForm,
)

const tabNames = ['models', 'networks', 'demands', 'cases', 'providers'] as const
type TabName = (typeof tabNames)[number]
/** Those that go when a module is switched off; the networks of the product are always there. */
const moduleOfTab: { [Tab in TabName]?: ModuleName } = {
  models: 'shop',
  demands: 'market',
  cases: 'market',
  providers: 'market',
}

/**
 * `/shopHome`: models of members; `?tab=networks`: the architectures that come with the product; `?tab=demands`: work that
 * members want done; `?tab=cases` and `?tab=providers`: who does it; `?rules=1`: the rules.
 */
export function ShopHome() {
  const { t } = useTranslation('shop')
  const [query] = useSearchParams()
  const [isReading, setReading] = useState(query.get('rules') === '1')
  const off = useModulesOff()
  const shown = tabNames.filter((one) => {
    const module = moduleOfTab[one]
    return module === undefined || !off.includes(module)
  })
  const tab = shown.find((one) => one === query.get('tab')) ?? shown[0] ?? 'networks'
  const tabs = shown.map((key) => ({
    key,
    label: t(`tabs.${key}`),
    to: key === 'models' ? '/shopHome' : `/shopHome?tab=${key}`,
  }))
  return (
    <Page>
      <PageHeader
        title={t('title')}
        name={tab === 'models' ? t('title') : `${t(`tabs.${tab}`)} · ${t('title')}`}
        subtitle={t('subtitle')}
        back={{ to: '/projectHome', label: t('toProjects') }}
        actions={
          !off.includes('shop') && (
            <>
              <Button type="link" onClick={() => setReading(true)}>
                {t('rules.open')}
              </Button>
              <Link to="/userCenter?tab=shop">{t('sell')}</Link>
            </>
          )
        }
      />
      <WhereSold>
        <TabLinks label={t('title')} tabs={tabs} current={tab} />
        {tab === 'models' && <ShopList />}
        {tab === 'demands' && <Demands />}
        {tab === 'cases' && <CaseList />}
        {tab === 'providers' && <ProviderList />}
        {tab === 'networks' && (
          <>
            <p>{t('networksText')}</p>
            <Suspense fallback={<Loading shape="cards" count={4} />}>
              <TemplateForm template={null} />
            </Suspense>
          </>
        )}
      </WhereSold>
      {isReading && <RulesDrawer onClose={() => setReading(false)} />}
    </Page>
  )
}

const demandTabs = ['open', 'own'] as const

/** Work that members want done, and the own demands. */
function Demands() {
  const { t } = useTranslation('market')
  const [query, setQuery] = useSearchParams()
  const which = demandTabs.find((one) => one === query.get('list')) ?? 'open'
  const post = <Link to="/postDemand">{t('post.title')}</Link>
  return (
    <>
      <p>{t('lead')}</p>
      <div className={styles.line}>
        <Segmented<(typeof demandTabs)[number]>
          aria-label={t('demands')}
          value={which}
          onChange={(list) => setQuery({ tab: 'demands', ...(list === 'open' ? {} : { list }) })}
          options={demandTabs.map((value) => ({ value, label: t(`tab.${value}`) }))}
        />
        {post}
      </div>
      <DemandList key={which} which={which} action={post} />
    </>
  )
}
