import { Alert, Input } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '../../../../lib/query.ts'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { Page, PageHeader, useTitle } from '../../../../ui/page.tsx'
import styles from './home.module.css'
import { NetworkList } from './network-list.tsx'
import { NewNetwork } from './new-network-start.tsx'

const HeldModels = lazyPart(async () => (await import('./held-models.tsx')).HeldModels)

/** Fewer networks are found faster by eye than by typing. */
const searchFrom = 7

/** The member's own networks and the ways to a new one; with `template=` the templates of its task are open. */
export function DripeHome() {
  const { t } = useTranslation('dripe-panels')
  useTitle(t('home.title'))
  const { data, error, refetch } = useCall('networks/mine', {}, { quiet: true })
  const [search, setSearch] = useState('')
  const [address] = useSearchParams()
  const template = address.get('template')
  const networks = data?.networks ?? []
  const isFull = data !== undefined && networks.length >= data.most
  const wanted = search.trim().toLocaleLowerCase()
  const found = networks.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  return (
    <Page>
      <PageHeader title={t('home.title')} subtitle={t('home.subtitle')} />
      {isFull ? (
        <Alert type="info" showIcon title={t('home.full', { count: networks.length })} />
      ) : (
        <NewNetwork isFirst={data !== undefined && networks.length === 0} template={template} />
      )}
      {!data && !error && <Loading shape="cards" count={3} />}
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {networks.length === 0 ? null : (
        <section className={styles.own} aria-label={t('home.own')}>
          <div className={styles.ownHead}>
            <h2>{t('home.own')}</h2>
            {networks.length < searchFrom && search === '' ? null : (
              <Input.Search
                allowClear
                className={styles.search ?? ''}
                placeholder={t('home.search')}
                aria-label={t('home.search')}
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
            )}
          </div>
          {found.length === 0 ? <p>{t('home.nothingFound')}</p> : <NetworkList networks={found} />}
        </section>
      )}
      <Suspense fallback={null}>
        <HeldModels />
      </Suspense>
    </Page>
  )
}
