import type { Tried } from '@neuroloom/contract/recipes/recipes'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { Failing } from './failing.tsx'
import styles from './recipes.module.css'

/** What the work comes to, and what of it would fail. */
export function Counts({ tried }: { tried: Tried }) {
  const { t } = useTranslation('recipes')
  const { counts, failing, unknown, withoutMask } = tried
  const facts = [
    t('counts.images', { count: counts.images, shown: formatNumber(counts.images) }),
    counts.masks > 0 ? t('counts.masks', { count: counts.masks, shown: formatNumber(counts.masks) }) : '',
    counts.labels > 0 ? t('counts.labels', { count: counts.labels, shown: formatNumber(counts.labels) }) : '',
    counts.others > 0 ? t('counts.others', { count: counts.others, shown: formatNumber(counts.others) }) : '',
  ].filter((fact) => fact !== '')
  return (
    <div className={styles.counts}>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      <Failing failing={failing} unknown={unknown} />
      {counts.dicom > 0 && (
        <p className={styles.soft}>
          {t('counts.dicom', { count: counts.dicom, shown: formatNumber(counts.dicom) })}
        </p>
      )}
      {unknown > 0 && (
        <p className={styles.soft}>{t('counts.unknown', { count: unknown, shown: formatNumber(unknown) })}</p>
      )}
      {withoutMask > 0 && (
        <p className={styles.soft}>
          {t('counts.withoutMask', { count: withoutMask, shown: formatNumber(withoutMask) })}
        </p>
      )}
    </div>
  )
}
