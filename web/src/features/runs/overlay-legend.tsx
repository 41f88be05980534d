import { useTranslation } from 'react-i18next'
import styles from './items.module.css'

/** What the two outlines of an overlay picture mean. Its colours are those the engine draws with. */
export function OverlayLegend() {
  const { t } = useTranslation('runs')
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.truthLine} aria-hidden="true" /> {t('items.truthOutline')}
      </li>
      <li>
        <span className={styles.predictedLine} aria-hidden="true" /> {t('items.predictedOutline')}
      </li>
    </ul>
  )
}
