import { fenOf } from '@neuroloom/contract/membership/money'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import styles from './shop.module.css'

/** As money; as many points buy it too. */
export function Price({ yuan }: { yuan: number }) {
  const { t } = useTranslation('shop')
  return <span className={styles.price}>{yuan === 0 ? t('free') : formatFen(fenOf(yuan))}</span>
}
