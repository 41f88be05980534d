import { Button, Segmented } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { DemandList } from '../../features/market/demand-list.tsx'
import { RulesDrawer } from '../../features/shop/rules.tsx'
import styles from '../../features/shop/shop.module.css'
import { ShopList } from '../../features/shop/shop-list.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { WhereSold } from './where-sold.tsx'

const TemplateForm = lazyPart(
  async () => (await import('../../features/networks/panels/home/template-form.tsx')).TemplateForm,
)

const tabNames = ['models', 'networks', 'demands'] as const

/**
 * `/shopHome`: models of members; `?tab=networks`: the architectures that come with the product; `?tab=demands`: work that
 * members want done; `?rules=1`: the rules.
 */
export function ShopHome() {
  const { t } = useTranslation('shop')
  const [query] = useSearchParams()
  const [isReading, setReading] = useState(query.get('rules') === '1')
  const tab = tabNames.find((one) => one === query.get('tab')) ?? 'models'
  const tabs = [
    { key: 'models', label: t('tabs.models'), to: '/shopHome' },
    { key: 'networks', label: t('tabs.networks'), to: '/shopHome?tab=networks' },
    { key: 'demands', label: t('tabs.demands'), to: '/shopHome?tab=demands' },
  ] as const
  return (
    <Page>
      <PageHeader
        title={t('title')}
        name={tab === 'models' ? t('title') : `${t(`tabs.${tab}`)} · ${t('title')}`}
        subtitle={t('subtitle')}
        back={{ to: '/projectHome', label: t('toProjects') }}
        actions={
          <>
            <Button type="link" onClick={() => setReading(true)}>
              {t('rules.open')}
            </Button>
            <Link to="/userCenter?tab=shop">{t('sell')}</Link>
          </>
        }
      />
      <WhereSold>
        <TabLinks label={t('title')} tabs={tabs} current={tab} />
        {tab === 'models' && <ShopList />}
        {tab === 'demands' && <Demands />}
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
