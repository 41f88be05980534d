import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import shared from '../../ui/card.module.css'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './market.module.css'
import { ProviderCard } from './provider-card.tsx'

/** Providers who have said what they offer. */
export function ProviderList() {
  const { t } = useTranslation('market')
  const typed = useTyped()
  const search = typed.settled
  const [place, setPlace] = useState({ search, page: 1 })
  // Another word begins with its first page.
  const page = place.search === search ? place.page : 1
  const { data, error, refetch } = useCall(
    'provider/list',
    { search, page },
    { quiet: true, keepPrevious: true },
  )
  return (
    <>
      <div className={styles.tools}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('provider.search')}
          aria-label={t('provider.search')}
          maxLength={200}
          value={typed.text}
          onChange={({ target }) => typed.setText(target.value)}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={4} />}
      {data?.total === 0 && <EmptyState title={t('provider.empty')} text={t('provider.emptyText')} />}
      <ul className={shared.grid} aria-label={t('providers')}>
        {data?.providers.map((card) => (
          <li key={card.id}>
            <ProviderCard card={card} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={(next) => setPlace({ search, page: next })} />}
    </>
  )
}
