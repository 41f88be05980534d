import type { Offer } from '@neuroloom/contract/membership/vip'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import styles from './upgrade.module.css'

/** What it costs today, what is taken off, and until when it is: read before anything is paid. */
export function UpgradeSum({ offer }: { offer: Offer }) {
  const { t } = useTranslation('membership')
  const { priceFen, creditFen, payFen, from, until, extraDays } = offer
  const off = Math.min(creditFen, priceFen)
  return (
    <div className={styles.sum}>
      <dl>
        {off > 0 && (
          <>
            <dt>{t('upgrade.price')}</dt>
            <dd>{formatFen(priceFen)}</dd>
            <dt>{t('upgrade.credit')}</dt>
            <dd>{formatFen(-off)}</dd>
          </>
        )}
        <dt>{t('upgrade.toPay')}</dt>
        <dd className={styles.total}>{formatFen(payFen)}</dd>
        <dt>{t('upgrade.valid')}</dt>
        <dd>
          {until === null
            ? t('upgrade.validForEver', { from: formatDate(from ?? '', 'day') })
            : t('upgrade.validUntil', {
                from: formatDate(from ?? '', 'day'),
                until: formatDate(until, 'day'),
              })}
        </dd>
      </dl>
      {extraDays > 0 && <p>{t('upgrade.extraDays', { count: extraDays })}</p>}
      <Link to="/tutorial/registration#levels" target="_blank">
        {t('upgrade.allLimits')}
      </Link>
    </div>
  )
}
