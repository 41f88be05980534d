import { useTranslation } from 'react-i18next'
import styles from './items.module.css'

/** What the two outlines or boxes of an overlay picture mean. Its colours are those the engine draws with. */
export function OverlayLegend({ of }: { of: 'Outline' | 'Box' }) {
  const { t } = useTranslation(['runs', 'results'])
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.truthLine} aria-hidden="true" /> {t(`results:items.truth${of}`)}
      </li>
      <li>
        <span className={styles.predictedLine} aria-hidden="true" /> {t(`results:items.predicted${of}`)}
      </li>
    </ul>
  )
}
