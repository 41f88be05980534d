import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { CaseView } from '../../features/market/case-view.tsx'
import { messageOf } from '../../lib/api.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { WhereSold } from '../shop/where-sold.tsx'
import { useMarketHome } from './market-home.ts'
import { OwnFilePicker } from './own-file-picker.tsx'

/** `/caseDetail?id=`: one case of a provider. */
export function CaseDetail() {
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
  const navigate = useNavigate()
  const back = useMarketHome('cases')
  const { data, error, refetch } = useCall('case/detail', { id }, { quiet: true, enabled: id !== '' })
  if (data)
    return (
      <>
        <PageHeader title={data.title} back={back} />
        <CaseView
          shown={data}
          Picker={OwnFilePicker}
          onRemoved={() => void navigate(back.to, { replace: true })}
        />
      </>
    )
  const isMissing = id === '' || error?.name === 'case_missing'
  return (
    <>
      <PageHeader title={t('cases')} back={back} />
      {isMissing && (
        <EmptyState
          title={error ? messageOf(error) : t('case.missing')}
          action={<Link to={back.to}>{t('toCases')}</Link>}
        />
      )}
      {!isMissing && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!isMissing && !error && <Loading shape="page" />}
    </>
  )
}
