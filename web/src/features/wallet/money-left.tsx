import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatFen } from '../../lib/format-money.ts'
import { useCall } from '../../lib/query.ts'
import styles from './wallet.module.css'

/** Warns who closes the account while there is money that only its member can withdraw. */
export function MoneyLeft() {
  const { t } = useTranslation('wallet')
  const { data: setting } = useCall('setting/public', {}, { quiet: true })
  // On a hospital's own server nothing is sold.
  const { data } = useCall('wallet/balance', {}, { quiet: true, enabled: setting?.host === 0 })
  const leftFen = data ? data.availableFen + data.notRecordedFen : 0
  if (leftFen === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      className={styles.trial ?? ''}
      title={t('closing.title', { amount: formatFen(leftFen) })}
      description={
        <>
          {t('closing.text')} <Link to="/userCenter?tab=wallet">{t('closing.toWallet')}</Link>
        </>
      }
    />
  )
}
