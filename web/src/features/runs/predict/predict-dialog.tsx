import type { Run } from '@neuroloom/contract/runs'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Item } from '../results/item-card.tsx'
import { itemKind } from '../results/item-kind.ts'
import styles from '../results/items.module.css'
import { RestoredStrip } from '../results/restored-strip.tsx'
import { PredictLegend } from './predict-legend.tsx'
import { PredictWords } from './predict-words.tsx'

/** One picture large, with all that the network says of it. */
export function PredictDialog({ item, run, onClose }: { item: Item | null; run: Run; onClose: () => void }) {
  return (
    <Modal
      open={item !== null}
      title={item?.name ?? ''}
      onCancel={onClose}
      footer={null}
      width={item?.overlay ? 960 : 640}
      destroyOnHidden
    >
      {item ? (
        <div className={styles.large}>
          <Pictures item={item} run={run} />
          <div className={styles.guesses}>
            <PredictWords item={item} run={run} most={Number.POSITIVE_INFINITY} />
          </div>
        </div>
      ) : null}
    </Modal>
  )
}

function Pictures({ item: { name, image, overlay }, run }: { item: Item; run: Run }) {
  const { t } = useTranslation(['predict', 'runs', 'results'])
  const kind = itemKind[run.task]
  if (overlay && kind === 'restored') {
    return <RestoredStrip source={overlay} alt={t('item.stripAlt', { name })} isJudged={false} />
  }
  return (
    <div className={styles.pictures}>
      {image ? (
        <figure>
          <img src={image} alt={name} />
          {overlay ? <figcaption>{t('results:items.original')}</figcaption> : null}
        </figure>
      ) : null}
      {overlay ? (
        <figure>
          <img src={overlay} alt={t('item.overlayAlt', { name })} />
          <figcaption>
            {run.task === 'volume_segmentation' ? <p>{t('item.slice')}</p> : null}
            <PredictLegend kind={kind} />
          </figcaption>
        </figure>
      ) : null}
    </div>
  )
}
