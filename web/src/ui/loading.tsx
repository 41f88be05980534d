/** Grey shapes in the place of what is coming. Knows nothing of what it stands for. */
import { useTranslation } from 'react-i18next'
import styles from './states.module.css'

/** `cards` for a grid, `rows` for a list or table, `page` for a whole page. */
export function Loading({
  shape = 'rows',
  count = 4,
}: {
  shape?: 'rows' | 'cards' | 'page'
  count?: number
}) {
  const { t } = useTranslation('common')
  const parts = Array.from({ length: count }, (_, index) => index)
  return (
    <div className={styles.loading} role="status" aria-label={t('loading')}>
      {shape === 'page' && <div className={`${styles.bone} ${styles.boneTitle}`} />}
      <div className={shape === 'rows' ? styles.rows : styles.cards}>
        {parts.map((part) => (
          <div
            key={part}
            className={`${styles.bone} ${shape === 'rows' ? styles.boneRow : styles.boneCard}`}
          />
        ))}
      </div>
    </div>
  )
}
