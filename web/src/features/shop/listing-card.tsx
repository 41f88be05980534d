import { SafetyCertificateOutlined } from '@ant-design/icons'
import type { ListingCard as Card } from '@neuroloom/contract/shop/listing'
import { Alert, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatScore } from '../../lib/metric.ts'
import shared from '../../ui/card.module.css'
import { Price } from './price.tsx'
import styles from './shop.module.css'
import { Stars } from './stars.tsx'

/** One model among many: what it does, how well, and what it costs. */
export function ListingCard({ card }: { card: Card }) {
  const { t } = useTranslation(['shop', 'tasks'])
  const { id, name, introduction, task, organ, modality, score, priceYuan, seller, usedIn, held } = card
  return (
    <article className={shared.card}>
      <div className={shared.head}>
        <div className={shared.names}>
          <Link to={`/merchandiseDetail?id=${id}`} className={`${shared.link} ${shared.target}`}>
            {name}
          </Link>
          <span>{seller === '' ? t('sellerGone') : seller}</span>
        </div>
        <Price yuan={priceYuan} />
      </div>
      <p className={styles.about}>{introduction}</p>
      <div className={styles.tags}>
        <Tag>{t(`tasks:name.${task}`)}</Tag>
        <Tag>{t(`organ.${organ}`)}</Tag>
        <Tag>{t(`modality.${modality}`)}</Tag>
        {held !== null && <Tag color="cyan">{t(`held.${held}`)}</Tag>}
      </div>
      {card.isDisputed && <Alert type="warning" showIcon title={t('disputed')} />}
      {score !== null && (
        <p className={styles.score}>
          <span>{t(`score.${task}`)}</span>
          <strong>{formatScore(task, score)}</strong>
          <span className={styles.verified}>
            <SafetyCertificateOutlined aria-hidden />
            {t('verified')}
          </span>
        </p>
      )}
      <div className={shared.foot}>
        <Stars rating={card.rating} />
        <span>{t('usedIn', { count: usedIn })}</span>
      </div>
    </article>
  )
}
