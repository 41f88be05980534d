import type { Tried } from '@neuroloom/contract/recipes/recipes'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { ReasonText } from './reason.tsx'
import styles from './recipes.module.css'

/** What would fail, by its reason; or that nothing would, as far as files are known. */
export function Failing({ failing, unknown }: Pick<Tried, 'failing' | 'unknown'>) {
  const { t } = useTranslation('recipes')
  const failed = failing.reduce((sum, { count }) => sum + count, 0)
  if (failed === 0)
    return <p className={styles.good}>{t(unknown > 0 ? 'counts.noneKnown' : 'counts.none')}</p>
  return (
    <Alert
      type="warning"
      showIcon
      title={t('counts.failing', { count: failed, shown: formatNumber(failed) })}
      description={
        <ul className={styles.reasons}>
          {failing.map(({ reason, count, names }) => (
            <li key={reason.name}>
              <strong>{formatNumber(count)}</strong> <ReasonText reason={reason} />{' '}
              <span className={styles.soft}>
                {names.join(', ')}
                {count > names.length ? ' …' : ''}
              </span>
            </li>
          ))}
        </ul>
      }
    />
  )
}
