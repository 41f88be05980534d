import { shortName } from '@neuroloom/contract/names/short-name'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { type Item, itemKind, overlayContext, shapeOf } from './item-kind.ts'
import { ItemWords } from './item-words.tsx'
import styles from './items.module.css'
import { RestoredStrip } from './restored-strip.tsx'

type Props = { item: Item; run: Pick<LearnedRun, 'task' | 'classes'>; onOpen: (item: Item) => void }

const shownAnswers = 3

/** One picture and what the network says of it. */
export function ItemCard({ item, run, onOpen }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  return (
    <div className={styles.card}>
      <button
        type="button"
        className={styles.open}
        onClick={() => onOpen(item)}
        aria-label={t('results:items.enlarge', { name: shortName(item.name) })}
      >
        <Picture item={item} run={run} />
      </button>
      <span className={styles.body}>
        <ItemWords item={item} run={run} most={shownAnswers} />
      </span>
    </div>
  )
}

function Picture({ item, run }: Pick<Props, 'item' | 'run'>) {
  const { t } = useTranslation(['runs', 'results'])
  const source = item.overlay ?? item.image
  const alt = item.overlay
    ? t('results:items.overlayAlt', { name: item.name, context: overlayContext(item, run.task) })
    : item.name
  if (item.overlay && itemKind[run.task] === 'restored') {
    return <RestoredStrip item={item} task={run.task} alt={alt} />
  }
  return (
    <span className={styles.picture} style={shapeOf(item)}>
      {source ? <img src={source} alt={alt} loading="lazy" /> : null}
    </span>
  )
}
