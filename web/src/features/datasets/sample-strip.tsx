import type { Dataset } from '@neuroloom/contract/datasets'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import styles from './dataset-card.module.css'
import { ItemPicture } from './item-picture.tsx'

const shownSamples = 8

/** A few pictures, taken from all over the data set, to see at a glance that it is the right one. */
export function SampleStrip({ dataset, onOpen }: { dataset: Dataset; onOpen: () => void }) {
  const { t } = useTranslation('datasets')
  const { data } = useCall('datasets/items', { id: dataset.id }, { quiet: true })
  const items = spread(data?.items ?? [])
  return (
    <div className={styles.samples}>
      <div className={styles.strip} aria-hidden>
        {items.map((item) => (
          <ItemPicture key={item.id} item={item} />
        ))}
      </div>
      <button type="button" className={styles.all} onClick={onOpen}>
        {t('showItems')}
      </button>
    </div>
  )
}

/** The first items often all belong to one class. */
function spread<T>(items: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(items.length / shownSamples))
  return items.filter((_, index) => index % step === 0).slice(0, shownSamples)
}
