import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { type Item, itemKind } from '../results/item-kind.ts'
import styles from '../results/items.module.css'
import { BoxLegend, OutlineLegend } from '../results/overlay-legend.tsx'

type Props = { run: Pick<LearnedRun, 'task' | 'classes'>; items: readonly Pick<Item, 'size' | 'palette'>[] }

/** What the line in a picture is. Its colour is the one that the engine draws with. */
export function PredictLegend({ run, items }: Props) {
  const { t } = useTranslation('predict')
  const kind = itemKind[run.task]
  if (kind !== 'outlines' && kind !== 'boxes') return null
  if (items.some(({ size }) => size)) return <BoxLegend classes={run.classes} isJudged={false} />
  if (items.some(({ palette }) => palette)) return <OutlineLegend run={run} items={items} isJudged={false} />
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.predictedLine} aria-hidden="true" />{' '}
        {t(kind === 'boxes' ? 'item.frame' : 'item.outline')}
      </li>
    </ul>
  )
}
