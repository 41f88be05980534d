import type { Demand, Offer } from '@neuroloom/contract/market/demand'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { DemandView } from '../../features/market/demand-view.tsx'
import { OrderDialog, type Payable } from '../../features/market/order-dialog.tsx'
import { InvoiceFields } from '../../features/membership/upgrade-invoice.tsx'
import { messageOf } from '../../lib/api.ts'
import { useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { WhereSold } from '../shop/where-sold.tsx'
import { useMarketHome } from './market-home.ts'
import { OwnFilePicker } from './own-file-picker.tsx'

const PayDialog = lazyPart(async () => (await import('../../features/membership/pay-dialog.tsx')).PayDialog, {
  over: true,
})

/** `/demandDetail?id=`: one demand. */
export function DemandDetail() {
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  return (
    <Page>
      <WhereSold>
        <Detail key={id} id={id} />
      </WhereSold>
    </Page>
  )
}

function Detail({ id }: { id: string }) {
  const { t } = useTranslation('market')
  const back = useMarketHome('demands')
  const { data, error, refetch } = useCall('demand/detail', { id }, { quiet: true, enabled: id !== '' })
  if (data)
    return (
      <>
        <PageHeader title={data.title} back={back} />
        <Opened demand={data} onChanged={() => void refetch()} />
      </>
    )
  const isMissing = id === '' || error?.name === 'demand_missing'
  return (
    <>
      <PageHeader title={t('demand')} back={back} />
      {isMissing && (
        <EmptyState
          title={error ? messageOf(error) : t('missing')}
          action={<Link to={back.to}>{t('toDemands')}</Link>}
        />
      )}
      {!isMissing && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!isMissing && !error && <Loading shape="page" />}
    </>
  )
}

function Opened({ demand, onChanged }: { demand: Demand; onChanged: () => void }) {
  const { t } = useTranslation('market')
  const [ordering, setOrdering] = useState<Offer | null>(null)
  const [paying, setPaying] = useState<Payable | null>(null)
  const handlePaid = () => {
    setPaying(null)
    toast.success(t('pay.done'))
    onChanged()
  }
  return (
    <>
      <DemandView demand={demand} Picker={OwnFilePicker} onOrder={setOrdering} />
      {ordering && (
        <OrderDialog
          offer={ordering}
          Invoice={InvoiceFields}
          onOrdered={(order) => {
            setOrdering(null)
            setPaying(order)
          }}
          onClose={() => setOrdering(null)}
        />
      )}
      {paying && (
        <PayDialog
          order={paying}
          onPaid={handlePaid}
          onAgain={() => {
            setPaying(null)
            onChanged()
          }}
          onClose={() => setPaying(null)}
        />
      )}
    </>
  )
}
