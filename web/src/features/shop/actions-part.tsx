import type { Listing } from '@neuroloom/contract/shop/listing'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { download } from '../../lib/download.ts'
import { formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { Facts } from '../../ui/facts.tsx'
import { UpgradeLink } from '../../ui/limits/upgrade-link.tsx'
import { ClaimPart } from './claim-part.tsx'
import { DriveDialog } from './drive-dialog.tsx'
import { PlaceDialog } from './place-dialog.tsx'
import { Price } from './price.tsx'
import styles from './shop.module.css'
import { Stars } from './stars.tsx'

type Props = { listing: Listing; onBuy: () => void; onPredict: () => void }

/** What it costs, what can be done with it, and what is known of it in short. */
export function ActionsPart({ listing, onBuy, onPredict }: Props) {
  const { t } = useTranslation('shop')
  const [open, setOpen] = useState<'drive' | 'place' | null>(null)
  const { held, isOwn, state, mine, usedIn, rating } = listing
  const isForSale = state === 'listed' && !isOwn
  const isOwned = held !== null && held !== 'place'
  const hasPlaces = mine.places.most === null || mine.places.most > 0
  return (
    <aside className={styles.aside}>
      <Price yuan={listing.priceYuan} />
      {listing.priceYuan > 0 && (
        <span className={styles.help}>{t('orPoints', { points: formatNumber(listing.priceYuan) })}</span>
      )}
      {listing.isDisputed && <Alert type="warning" showIcon title={t('disputed')} />}
      {held !== null && <Alert type="success" showIcon title={t(`heldLong.${held}`)} />}
      {state !== 'listed' && <Alert type="info" showIcon title={t(`state.${state}`)} />}
      <div className={styles.actions}>
        {isForSale && !isOwned && (
          <Button type="primary" size="large" onClick={onBuy}>
            {t(listing.priceYuan === 0 ? 'buy.take' : 'buy.buy')}
          </Button>
        )}
        {isForSale && held === null && listing.priceYuan > 0 && hasPlaces && (
          <Button onClick={() => setOpen('place')}>{t('place.take')}</Button>
        )}
        {(isForSale || isOwn) && <Button onClick={() => setOpen('drive')}>{t('drive.open')}</Button>}
        {held !== null && state !== 'banned' && <Uses listing={listing} onPredict={onPredict} />}
      </div>
      {mine.sale && <ClaimPart sale={mine.sale} />}
      <Stars rating={rating} />
      <Facts
        facts={[
          [t('facts.seller'), listing.seller === '' ? t('sellerGone') : listing.seller],
          [t('facts.used'), t('usedIn', { count: usedIn })],
          [t('facts.version'), listing.version === 0 ? null : String(listing.version)],
          [t('facts.parameters'), formatNumber(listing.parameters)],
          [t('facts.licence'), t(`licence.${listing.licence}.name`)],
        ]}
      />
      <p className={styles.help}>{t(`licence.${listing.licence}.about`)}</p>
      {!isOwn && held === null && !hasPlaces && (
        <p className={styles.help}>
          {t('place.none')} <UpgradeLink />
        </p>
      )}
      {open === 'drive' && <DriveDialog listing={listing} onClose={() => setOpen(null)} />}
      {open === 'place' && <PlaceDialog listing={listing} onClose={() => setOpen(null)} />}
    </aside>
  )
}

function Uses({ listing, onPredict }: { listing: Listing; onPredict: () => void }) {
  const { t } = useTranslation('shop')
  const navigate = useNavigate()
  const { id, held } = listing
  const copy = useAction('shop/open', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: ({ networkId }) => void navigate(`/dripe?id=${networkId}`),
  })
  const weights = useAction('shop/weights', { refresh: [], onDone: (link) => void download(link) })
  return (
    <>
      <Button type="primary" onClick={onPredict}>
        {t('use.predict')}
      </Button>
      <Button loading={copy.isPending} onClick={() => copy.mutate({ id })}>
        {t('use.dripe')}
      </Button>
      {held !== 'place' && held !== 'given' && (
        <Button loading={weights.isPending} onClick={() => weights.mutate({ id })}>
          {t('use.weights')}
        </Button>
      )}
      <p className={styles.help}>{t('use.trainHelp')}</p>
    </>
  )
}
