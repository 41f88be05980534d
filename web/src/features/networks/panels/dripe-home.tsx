import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'

/** The member's own networks and the ways to a new one. */
export function DripeHome() {
  const { t } = useTranslation('dripe-panels')
  const { data, error, refetch } = useCall('networks/mine', {}, { quiet: true })
  return (
    <Page>
      <PageHeader title={t('home.title')} subtitle={t('home.subtitle')} />
      {!data && !error && <Loading shape="cards" count={3} />}
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {data?.networks.length === 0 && <EmptyState title={t('home.empty')} text={t('home.emptyText')} />}
      <ul>
        {data?.networks.map(({ id, name }) => (
          <li key={id}>
            <Link to={`/dripe?id=${encodeURIComponent(id)}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
