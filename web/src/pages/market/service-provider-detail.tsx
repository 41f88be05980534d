import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { ProviderView } from '../../features/market/provider-view.tsx'
import { messageOf } from '../../lib/api.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { WhereSold } from '../shop/where-sold.tsx'
import { useMarketHome } from './market-home.ts'

/** `/serviceProviderDetail?id=`: the page of one provider. */
export function ServiceProviderDetail() {
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  return (
    <Page>
      <WhereSold module="market">
        <Detail key={id} id={id} />
      </WhereSold>
    </Page>
  )
}

function Detail({ id }: { id: string }) {
  const { t } = useTranslation('market')
  const back = useMarketHome('providers')
  const { data, error, refetch } = useCall('provider/detail', { id }, { quiet: true, enabled: id !== '' })
  if (data)
    return (
      <>
        <PageHeader title={data.nickName} back={back} />
        <ProviderView provider={data} />
      </>
    )
  const isMissing = id === '' || error?.name === 'provider_missing'
  return (
    <>
      <PageHeader title={t('providers')} back={back} />
      {isMissing && (
        <EmptyState
          title={error ? messageOf(error) : t('provider.missing')}
          action={<Link to={back.to}>{t('toProviders')}</Link>}
        />
      )}
      {!isMissing && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!isMissing && !error && <Loading shape="page" />}
    </>
  )
}
