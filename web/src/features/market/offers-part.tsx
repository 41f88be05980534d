import type { Demand, Offer } from '@neuroloom/contract/market/demand'
import { Button } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { Panel } from '../../ui/page.tsx'
import styles from './market.module.css'

type Props = { demand: Demand; onOrder: (offer: Offer) => void }

/** Offers, the lowest price first: all of them for the owner, the own one for its provider. */
export function OffersPart({ demand, onOrder }: Props) {
  const { t } = useTranslation('market')
  const { offerList, isOwn, state } = demand
  if (!isOwn && offerList.length === 0) return null
  return (
    <Panel title={t(isOwn ? 'offersTitle' : 'offer.own')}>
      {offerList.length === 0 ? (
        <p className={styles.help}>{t('offersNone')}</p>
      ) : (
        <ul className={styles.list}>
          {offerList.map((offer) => (
            <li key={offer.id}>
              <OneOffer offer={offer} onOrder={isOwn && state === 'open' ? () => onOrder(offer) : null} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

export function OneOffer({ offer, onOrder }: { offer: Offer; onOrder: (() => void) | null }) {
  const { t } = useTranslation('market')
  const title = useId()
  const { provider, priceFen, days, text, milestones, at } = offer
  return (
    <article className={styles.item} aria-labelledby={title}>
      <div className={styles.line}>
        <strong id={title}>
          {provider.nickName === '' ? (
            t('providerGone')
          ) : (
            <Link to={`/serviceProviderDetail?id=${provider.id}`}>{provider.nickName}</Link>
          )}
        </strong>
        <span className={styles.help}>{t('offer.at', { when: formatDate(at, 'day') })}</span>
        <span className={styles.spring} />
        <span className={styles.price}>{formatFen(priceFen)}</span>
        <span>{t('offer.in', { count: days })}</span>
      </div>
      <p className={styles.words}>{text}</p>
      {milestones.length > 0 && (
        <ol className={styles.milestones} aria-label={t('milestones')}>
          {milestones.map((one) => (
            <li key={`${one.title} ${one.priceFen}`}>
              {t('milestone', { title: one.title, price: formatFen(one.priceFen) })}
            </li>
          ))}
        </ol>
      )}
      {onOrder && (
        <div>
          <Button type="primary" disabled={provider.nickName === ''} onClick={onOrder}>
            {t('offer.order')}
          </Button>
        </div>
      )}
    </article>
  )
}
