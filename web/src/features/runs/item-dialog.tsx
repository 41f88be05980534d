import type { Run } from '@neuroloom/contract/runs'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../lib/class-name.ts'
import { formatMetric, mainMetric } from '../../lib/metric.ts'
import { type Item, Prediction } from './item-card.tsx'
import styles from './items.module.css'
import { MetricName } from './metric-name.tsx'
import { OverlayLegend } from './overlay-legend.tsx'

/** One picture large: as it is, and with both outlines where there are any. */
export function ItemDialog({ item, run, onClose }: { item: Item | null; run: Run; onClose: () => void }) {
  const { t } = useTranslation('runs')
  return (
    <Modal
      open={item !== null}
      title={item?.name ?? ''}
      onCancel={onClose}
      footer={null}
      width={item?.overlay && item.image ? 960 : 640}
      destroyOnHidden
    >
      {item ? (
        <div className={styles.large}>
          <div className={styles.pictures}>
            {item.image ? (
              <figure>
                <img src={item.image} alt={item.name} />
                {item.overlay ? <figcaption>{t('items.original')}</figcaption> : null}
              </figure>
            ) : null}
            {item.overlay ? (
              <figure>
                <img src={item.overlay} alt={t('items.overlayAlt', { name: item.name })} />
                <figcaption>
                  <OverlayLegend />
                </figcaption>
              </figure>
            ) : null}
          </div>
          {run.task === 'classification' ? (
            <div className={styles.guesses}>
              <Prediction item={item} classes={run.classes} shownClasses={run.classes.length} />
            </div>
          ) : (
            <ItemValues item={item} />
          )}
        </div>
      ) : null}
    </Modal>
  )
}

/** Dice of each structure in this picture. */
function ItemValues({ item }: { item: Item }) {
  const classNameOf = useClassName('segmentation')
  return (
    <dl className={styles.values}>
      {Object.entries(item.values).map(([className, value]) => (
        <div key={className}>
          <dt>
            <MetricName name={mainMetric.segmentation} /> · {classNameOf(className)}
          </dt>
          <dd>{formatMetric(mainMetric.segmentation, value)}</dd>
        </div>
      ))}
    </dl>
  )
}
