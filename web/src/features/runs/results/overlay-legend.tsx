import { useTranslation } from 'react-i18next'
import { boxColour } from './box-labels.tsx'
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

/** What the boxes mean where each class has a colour of its own; without a truth, none can be wrong. */
export function BoxLegend({ classes, isJudged }: { classes: readonly string[]; isJudged: boolean }) {
  const { t } = useTranslation('results')
  return (
    <ul className={styles.legend}>
      {isJudged ? (
        <li>
          <span className={styles.truthLine} aria-hidden="true" /> {t('items.truthBox')}
        </li>
      ) : null}
      {classes.map((name, index) => (
        <li key={name}>
          <span
            className={styles.predictedLine}
            style={{ borderColor: boxColour(index) }}
            aria-hidden="true"
          />{' '}
          {t('items.boxOf', { name })}
        </li>
      ))}
      {isJudged ? (
        <li>
          <span className={styles.wrongLine} aria-hidden="true" /> {t('items.wrongBox')}
        </li>
      ) : null}
    </ul>
  )
}
