import { useTranslation } from 'react-i18next'
import type { ItemKind } from '../results/item-kind.ts'
import styles from '../results/items.module.css'

/** What the line in a picture is. Its colour is the one that the engine draws with. */
export function PredictLegend({ kind }: { kind: ItemKind }) {
  const { t } = useTranslation('predict')
  if (kind !== 'outlines' && kind !== 'boxes') return null
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.predictedLine} aria-hidden="true" />{' '}
        {t(kind === 'boxes' ? 'item.frame' : 'item.outline')}
      </li>
    </ul>
  )
}
