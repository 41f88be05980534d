import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { BoxLabels } from '../results/box-labels.tsx'
import type { Item } from '../results/item-kind.ts'
import { colourContext, itemKind } from '../results/item-kind.ts'
import styles from '../results/items.module.css'
import { PictureDialog, PicturesBeside, type View, viewerOf } from '../results/picture-dialog.tsx'
import { RestoredLarge } from '../results/restored-large.tsx'
import { PredictLegend } from './predict-legend.tsx'
import { PredictWords } from './predict-words.tsx'

type Props = {
  item: Item | null
  items: readonly Item[]
  run: LearnedRun
  onOpen: (item: Item | null) => void
}

/** One picture large, with all that the network says of it. */
export function PredictDialog({ item, items, run, onOpen }: Props) {
  return (
    <PictureDialog
      item={item}
      items={items}
      viewer={viewerOf(run)}
      onOpen={onOpen}
      hasZoom={itemKind[run.task] !== 'restored'}
      told={(shown) => (
        <div className={styles.guesses}>
          <PredictWords item={shown} run={run} most={Number.POSITIVE_INFINITY} />
        </div>
      )}
    >
      {(shown, view) => <Pictures item={shown} run={run} view={view} />}
    </PictureDialog>
  )
}

function Pictures({ item, run, view }: { item: Item; run: LearnedRun; view: View }) {
  const { t } = useTranslation('predict')
  const { name, overlay } = item
  const kind = itemKind[run.task]
  if (overlay && kind === 'restored') {
    return <RestoredLarge item={item} task={run.task} alt={t('item.stripAlt', { name })} isJudged={false} />
  }
  const caption = <PredictLegend run={run} items={[item]} />
  const isVolume = run.task === 'volume_segmentation'
  return (
    <PicturesBeside
      item={item}
      view={view}
      alt={t('item.overlayAlt', { name, context: colourContext(item) })}
      caption={caption}
      isVolume={isVolume}
      over={<BoxLabels item={item} classes={run.classes} />}
    />
  )
}
