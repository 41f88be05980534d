import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { RulesDrawer } from '../../features/shop/rules.tsx'
import { ShopList } from '../../features/shop/shop-list.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { WhereSold } from './where-sold.tsx'

const TemplateForm = lazyPart(
  async () => (await import('../../features/networks/panels/home/template-form.tsx')).TemplateForm,
)

/** `/shopHome`: models of members; `?tab=networks`: the architectures that come with the product; `?rules=1`: the rules. */
export function ShopHome() {
  const { t } = useTranslation('shop')
  const [query] = useSearchParams()
  const [isReading, setReading] = useState(query.get('rules') === '1')
  const tab = query.get('tab') === 'networks' ? 'networks' : 'models'
  const tabs = [
    { key: 'models', label: t('tabs.models'), to: '/shopHome' },
    { key: 'networks', label: t('tabs.networks'), to: '/shopHome?tab=networks' },
  ] as const
  return (
    <Page>
      <PageHeader
        title={t('title')}
        name={tab === 'models' ? t('title') : `${t('tabs.networks')} · ${t('title')}`}
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
        {tab === 'models' ? (
          <ShopList />
        ) : (
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
