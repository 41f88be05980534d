import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { DemandForm } from '../../features/market/demand-form.tsx'
import { useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { WhereSold } from '../shop/where-sold.tsx'
import { useMarketHome } from './market-home.ts'
import { OwnFilePicker, OwnFolderPicker } from './own-file-picker.tsx'

/** `/postDemand`: a new demand; `?id=`: an own one that is changed. */
export function PostDemand() {
  const { t } = useTranslation('market')
  const [query] = useSearchParams()
  const id = query.get('id')
  const home = useMarketHome('demands')
  const back = id === null ? home : { to: `/demandDetail?id=${id}`, label: t('demand') }
  return (
    <Page>
      <PageHeader title={t(id === null ? 'post.title' : 'post.edit')} subtitle={t('post.text')} back={back} />
      <WhereSold module="market">{id === null ? <New /> : <Change key={id} id={id} />}</WhereSold>
    </Page>
  )
}

function New() {
  const { t } = useTranslation('market')
  const navigate = useNavigate()
  return (
    <DemandForm
      demand={null}
      Picker={OwnFilePicker}
      FolderPicker={OwnFolderPicker}
      onSaved={({ id }) => {
        toast.success(t('post.done'))
        void navigate(`/demandDetail?id=${id}`, { replace: true })
      }}
    />
  )
}

function Change({ id }: { id: string }) {
  const { t } = useTranslation('market')
  const navigate = useNavigate()
  const home = useMarketHome('demands')
  const { data, error, refetch } = useCall('demand/detail', { id }, { quiet: true })
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="page" />
  if (!data.may.includes('edit'))
    return <EmptyState title={t('post.over')} action={<Link to={home.to}>{t('toDemands')}</Link>} />
  return (
    <DemandForm
      demand={data}
      Picker={OwnFilePicker}
      FolderPicker={OwnFolderPicker}
      onSaved={() => {
        toast.success(t('post.changed'))
        void navigate(`/demandDetail?id=${id}`, { replace: true })
      }}
    />
  )
}
