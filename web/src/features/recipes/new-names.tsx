import type { Work } from '@neuroloom/contract/recipes/recipes'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { useSettled } from '../../ui/hooks/use-settled.ts'
import { ReasonText } from './reason.tsx'
import styles from './recipes.module.css'

type Rename = Omit<Extract<Work, { kind: 'rename' }>, 'kind'>

/** What some files would be called; those that cannot be come first. */
export function NewNames({ asked }: { asked: Rename }) {
  const { t } = useTranslation('recipes')
  const { data } = useCall('recipes/renamed', useSettled(asked), { quiet: true, keepPrevious: true })
  if (!data) return null
  const { count, failed, names } = data
  return (
    <section className={styles.newNames} aria-label={t('rename.preview')}>
      <p className={failed === 0 ? styles.good : styles.soft}>
        {failed === 0
          ? t('rename.all', { count, shown: formatNumber(count) })
          : t('rename.some', { count: failed, shown: formatNumber(failed), total: formatNumber(count) })}
      </p>
      <ul>
        {names.map(({ from, to, reason }) => (
          <li key={from}>
            <span>{from}</span> → {to ?? (reason && <ReasonText reason={reason} />)}
          </li>
        ))}
      </ul>
    </section>
  )
}
