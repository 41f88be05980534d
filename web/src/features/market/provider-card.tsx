import type { ProviderCard as Card } from '@neuroloom/contract/market/provider'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import shared from '../../ui/card.module.css'
import styles from './market.module.css'
import { RatingSum } from './rating-sum.tsx'

/** One provider among many: what it offers, and what accepted orders say of it. */
export function ProviderCard({ card }: { card: Card }) {
  const { t } = useTranslation('market')
  const { id, nickName, introduction, services, rating, sales } = card
  return (
    <article className={shared.card}>
      <div className={shared.names}>
        <Link to={`/serviceProviderDetail?id=${id}`} className={`${shared.link} ${shared.target}`}>
          {nickName}
        </Link>
        <span>{t('provider.sales', { count: sales })}</span>
      </div>
      {introduction !== '' && <p className={styles.about}>{introduction}</p>}
      <div className={styles.line}>
        {services.slice(0, MOST_SERVICES).map((service) => (
          <Tag key={service}>{service}</Tag>
        ))}
      </div>
      <div className={shared.foot}>
        <RatingSum rating={rating} />
      </div>
    </article>
  )
}

/** Services of a card: the page of the provider has all of them. */
const MOST_SERVICES = 4
