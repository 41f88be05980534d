import type { OwnListing } from '@neuroloom/contract/shop/seller'
import { Alert, Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { formatFen } from '../../../lib/format-money.ts'
import { listingLooks } from '../../../lib/listing-looks.ts'
import { formatScore } from '../../../lib/metric.ts'
import { useAction } from '../../../lib/query.ts'
import { Facts } from '../../../ui/facts.tsx'
import { StateMark } from '../../../ui/state-mark.tsx'
import { Price } from '../price.tsx'
import styles from '../shop.module.css'
import { Stars } from '../stars.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { GiveDialog } from './give-dialog.tsx'
import { RenewDialog } from './renew-dialog.tsx'

/** One of the own listings: how it stands, what it brought, and what can be done with it. */
export function OwnListingCard({ listing }: { listing: OwnListing }) {
  const { t } = useTranslation('shop')
  const title = useId()
  const [open, setOpen] = useState<'edit' | 'renew' | 'give' | null>(null)
  const { id, name, state, version, refusal, banReason, score, task, sold, openClaims } = listing
  const show = useAction('shop/show', { refresh: ['shop/mine', 'shop/list', 'plans/shared'] })
  const isListed = version > 0 && (state === 'listed' || state === 'hidden')
  const sum = [
    ...(sold.fen > 0 || sold.points === 0 ? [formatFen(sold.fen)] : []),
    ...(sold.points > 0 ? [t('own.points', { points: formatNumber(sold.points) })] : []),
  ].join(' + ')
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.line}>
        <h3 id={title}>{version > 0 ? <Link to={`/merchandiseDetail?id=${id}`}>{name}</Link> : name}</h3>
        <Price yuan={listing.priceYuan} />
        <StateMark state={listingLooks[state]} text={t(`own.state.${state}`)} />
      </header>
      {state === 'checking' && <p className={styles.help}>{t('own.checking')}</p>}
      {refusal && <Alert type="warning" showIcon title={t(`refusal.${refusal}`)} />}
      {state === 'banned' && <Alert type="error" showIcon title={t('own.banned', { reason: banReason })} />}
      {openClaims > 0 && <Alert type="warning" showIcon title={t('own.claims', { count: openClaims })} />}
      <Facts
        facts={[
          [t('facts.score'), score === null ? null : formatScore(task, score)],
          [t('facts.version'), version === 0 ? null : String(version)],
          [t('own.sold'), t('own.soldSum', { count: sold.count, sum })],
          [t('facts.used'), t('usedIn', { count: listing.usedIn })],
          [t('facts.rating'), <Stars key="rating" rating={listing.rating} />],
        ]}
      />
      <div className={styles.line}>
        {state !== 'banned' && state !== 'closed' && (
          <Button onClick={() => setOpen('edit')}>{t('own.edit')}</Button>
        )}
        {state !== 'checking' && state !== 'banned' && (
          <Button onClick={() => setOpen('renew')}>{t(version === 0 ? 'own.again' : 'own.renew')}</Button>
        )}
        {isListed && (
          <Button loading={show.isPending} onClick={() => show.mutate({ id, isShown: state === 'hidden' })}>
            {t(state === 'hidden' ? 'own.show' : 'own.hide')}
          </Button>
        )}
        {isListed && <Button onClick={() => setOpen('give')}>{t('own.give')}</Button>}
      </div>
      {open === 'edit' && <EditDialog id={id} onClose={() => setOpen(null)} />}
      {open === 'renew' && <RenewDialog listing={listing} onClose={() => setOpen(null)} />}
      {open === 'give' && <GiveDialog listing={listing} onClose={() => setOpen(null)} />}
    </article>
  )
}
