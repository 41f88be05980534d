import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useIsOff } from '../../../lib/modules.ts'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { UpgradeLink } from '../../../ui/limits/upgrade-link.tsx'
import { CountMeter } from '../../../ui/limits/used-limit.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from '../shop.module.css'
import { OfferDialog } from './offer-dialog.tsx'
import { OwnListingCard } from './own-listing-card.tsx'
import { SalesTable } from './sales-table.tsx'

/** How often a listing that is measured again is looked at. */
const LOOK_MS = 5000

/** `?tab=shop`: the own listings, what they brought, and a new one; `&test=`: one made of this test. */
export function OwnShop() {
  const { t } = useTranslation('shop')
  const [query, setQuery] = useSearchParams()
  const test = query.get('test')
  const isOff = useIsOff('shop')
  const [isOffering, setOffering] = useState(test !== null)
  const { data, error, refetch } = useCall(
    'shop/mine',
    {},
    {
      quiet: true,
      refetchInterval: ({ state }) =>
        state.data?.listings.some((one) => one.state === 'checking') ? LOOK_MS : false,
    },
  )
  const close = () => {
    setOffering(false)
    if (test !== null) setQuery({ tab: 'shop' }, { replace: true })
  }
  if (!data)
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="rows" count={3} />
    )
  const offer = !isOff && (
    <Button type="primary" onClick={() => setOffering(true)}>
      {t('own.offer')}
    </Button>
  )
  return (
    <>
      <p>{t(isOff ? 'off.text' : 'own.lead')}</p>
      <div className={styles.bar}>
        <CountMeter name="sharedModels" used={data.used} limit={data.limit} action={<UpgradeLink />} />
        <span className={styles.spring} />
        {!isOff && <Link to="/shopHome">{t('own.toShop')}</Link>}
        {data.listings.length > 0 && offer}
      </div>
      {data.listings.length === 0 && (
        <EmptyState title={t('own.empty')} text={t('own.emptyText')} action={offer} />
      )}
      <ul className={styles.cards} aria-label={t('own.title')}>
        {data.listings.map((listing) => (
          <li key={listing.id}>
            <OwnListingCard listing={listing} />
          </li>
        ))}
      </ul>
      <SalesTable />
      {isOffering && !isOff && <OfferDialog test={test} onClose={close} />}
    </>
  )
}
