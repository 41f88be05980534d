import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { boxColour } from './box-labels.tsx'
import type { Item } from './item-kind.ts'
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

type OfItems = {
  run: Pick<LearnedRun, 'task' | 'classes'>
  items: readonly Pick<Item, 'palette'>[]
  /** Whether the truth is known and drawn. */
  isJudged: boolean
}

/** What outlines mean: each class has a colour of its own, or all that was found has one as in pictures of before. */
export function OutlineLegend({ run, items, isJudged }: OfItems) {
  const { t } = useTranslation('results')
  const classNameOf = useClassName(run.task)
  if (!items.some(({ palette }) => palette)) return <OverlayLegend of="Outline" />
  return (
    <ul className={styles.legend}>
      {isJudged ? (
        <li>
          <span className={styles.truthLine} aria-hidden="true" /> {t('items.truthOutline')}
        </li>
      ) : null}
      {run.classes.slice(1).map((name, index) => (
        <li key={name}>
          <span
            className={styles.predictedLine}
            style={{ borderColor: boxColour(index) }}
            aria-hidden="true"
          />{' '}
          {t('items.boxOf', { name: classNameOf(name) })}
        </li>
      ))}
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
