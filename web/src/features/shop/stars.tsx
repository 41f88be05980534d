import { Rate } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import styles from './shop.module.css'

/** What buyers think, as stars and in words. */
export function Stars({ rating }: { rating: { stars: number; reviews: number } | null }) {
  const { t } = useTranslation('shop')
  if (rating === null) return <span className={styles.help}>{t('noReviews')}</span>
  const { stars, reviews } = rating
  return (
    <span className={styles.line}>
      <Rate disabled allowHalf value={Math.round(stars * 2) / 2} aria-hidden />
      <span className={styles.help}>{t('rated', { stars: formatNumber(stars, 1), count: reviews })}</span>
    </span>
  )
}
