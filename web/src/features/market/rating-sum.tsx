import type { ProviderCard } from '@neuroloom/contract/market/provider'
import { Rate } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import styles from './market.module.css'

/** What customers of accepted orders think, as stars and in words. */
export function RatingSum({ rating }: { rating: ProviderCard['rating'] }) {
  const { t } = useTranslation('market')
  if (rating === null) return <span className={styles.help}>{t('provider.noRatings')}</span>
  const { stars, count } = rating
  return (
    <span className={styles.line}>
      <Rate disabled allowHalf value={Math.round(stars * 2) / 2} aria-hidden />
      <span className={styles.help}>{t('provider.rated', { stars: formatNumber(stars, 1), count })}</span>
    </span>
  )
}
