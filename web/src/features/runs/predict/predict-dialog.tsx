import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { BoxLabels } from '../results/box-labels.tsx'
import type { Item } from '../results/item-kind.ts'
import { itemKind } from '../results/item-kind.ts'
import styles from '../results/items.module.css'
import { PictureDialog, PicturesBeside, viewerOf } from '../results/picture-dialog.tsx'
import { RestoredLarge } from '../results/restored-large.tsx'
import { PredictLegend } from './predict-legend.tsx'
import { PredictWords } from './predict-words.tsx'

/** One picture large, with all that the network says of it. */
export function PredictDialog({
  item,
  run,
  onClose,
}: {
  item: Item | null
  run: LearnedRun
  onClose: () => void
}) {
  return (
    <PictureDialog item={item} viewer={viewerOf(run)} onClose={onClose}>
      {(shown) => (
        <>
          <Pictures item={shown} run={run} />
          <div className={styles.guesses}>
            <PredictWords item={shown} run={run} most={Number.POSITIVE_INFINITY} />
          </div>
        </>
      )}
    </PictureDialog>
  )
}

function Pictures({ item, run }: { item: Item; run: LearnedRun }) {
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
      alt={t('item.overlayAlt', { name, context: item.size ? 'classes' : '' })}
      caption={caption}
      isVolume={isVolume}
      over={<BoxLabels item={item} classes={run.classes} />}
    />
  )
}
