import type { Listing } from '@neuroloom/contract/shop/listing'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { InvoiceFields } from '../../features/membership/upgrade-invoice.tsx'
import { BuyDialog, type Payable } from '../../features/shop/buy-dialog.tsx'
import { ListingView } from '../../features/shop/listing-view.tsx'
import { messageOf } from '../../lib/api.ts'
import { useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { WhereSold } from './where-sold.tsx'

const NetworkDrawing = lazyPart(
  async () => (await import('../../features/networks/network-drawing.tsx')).NetworkDrawing,
)
const PayDialog = lazyPart(async () => (await import('../../features/membership/pay-dialog.tsx')).PayDialog, {
  over: true,
})
const PredictDialog = lazyPart(async () => (await import('./predict-dialog.tsx')).PredictDialog, {
  over: true,
})

/** `/merchandiseDetail?id=`: one model of the shop. */
export function MerchandiseDetail() {
  const [query] = useSearchParams()
  return (
    <Page>
      <WhereSold>
        <Detail key={query.get('id') ?? ''} id={query.get('id') ?? ''} />
      </WhereSold>
    </Page>
  )
}

function Detail({ id }: { id: string }) {
  const { t } = useTranslation('shop')
  const { data, error, refetch } = useCall('shop/detail', { id }, { quiet: true, enabled: id !== '' })
  const back = { to: '/shopHome', label: t('title') }
  if (data)
    return (
      <>
        <PageHeader title={data.name} back={back} />
        <Opened listing={data} onChanged={() => void refetch()} />
      </>
    )
  const isMissing = id === '' || error?.name === 'listing_missing'
  return (
    <>
      <PageHeader title={t('title')} back={back} />
      {isMissing && (
        <EmptyState
          title={error ? messageOf(error) : t('missing')}
          action={<Link to="/shopHome">{t('toShop')}</Link>}
        />
      )}
      {!isMissing && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!isMissing && !error && <Loading shape="page" />}
    </>
  )
}

function Opened({ listing, onChanged }: { listing: Listing; onChanged: () => void }) {
  const { t } = useTranslation(['shop', 'networks'])
  const [open, setOpen] = useState<'buy' | 'predict' | null>(null)
  const [paying, setPaying] = useState<Payable | null>(null)
  const { network } = listing
  const networkName = network.isOwn ? network.name : t(`networks:${network.id}.title`)
  const handleBought = () => {
    setOpen(null)
    setPaying(null)
    toast.success(t('buy.done'))
    onChanged()
  }
  return (
    <>
      <ListingView
        listing={listing}
        networkName={networkName}
        drawing={
          <Suspense fallback={<Loading count={3} />}>
            <NetworkDrawing text={listing.graph} name={networkName} />
          </Suspense>
        }
        onBuy={() => setOpen('buy')}
        onPredict={() => setOpen('predict')}
      />
      {open === 'buy' && (
        <BuyDialog
          listing={listing}
          Invoice={InvoiceFields}
          onOrdered={(order) => {
            setOpen(null)
            setPaying(order)
          }}
          onBought={handleBought}
          onClose={() => setOpen(null)}
        />
      )}
      {paying && (
        <PayDialog
          order={paying}
          onPaid={handleBought}
          onAgain={() => {
            setPaying(null)
            setOpen('buy')
          }}
          onClose={() => setPaying(null)}
        />
      )}
      {open === 'predict' && <PredictDialog listing={listing} onClose={() => setOpen(null)} />}
    </>
  )
}
