import type { Dataset } from '@neuroloom/contract/datasets'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import styles from './dataset-card.module.css'
import { type DatasetItem, ItemPicture } from './item-picture.tsx'

const shownSamples = 8
/** Each of two pictures. */
const shownPairs = 4
const shownClasses = 4

/** A few pictures, taken from all over the data set, to see at a glance that it is the right one. */
export function SampleStrip({ dataset, onOpen }: { dataset: Dataset; onOpen: () => void }) {
  const { t } = useTranslation('datasets')
  const items = useSamples(dataset)
  return (
    <div className={styles.samples}>
      <div className={styles.strip} data-pairs={dataset.classes.length === 0} aria-hidden>
        {items.map((item) => (
          <ItemPicture key={item.id} item={item} task={dataset.task} />
        ))}
      </div>
      <button type="button" className={styles.all} onClick={onOpen}>
        {t('showItems')}
      </button>
    </div>
  )
}

/** The first items often all belong to one class, so a few classes are asked for one by one. */
function useSamples({ id, classes, task }: Dataset): DatasetItem[] {
  const asked = task === 'classification' ? spread([...classes.keys()], shownClasses) : [null]
  const pages = useQueries({
    queries: asked.map((one) => ({
      queryKey: ['datasets/items', { id, class: one }],
      queryFn: () => call('datasets/items', { id, class: one }, { quiet: true }),
    })),
  })
  const most = classes.length === 0 ? shownPairs : shownSamples
  const share = Math.ceil(most / asked.length)
  return pages.flatMap(({ data }) => spread(data?.items ?? [], share)).slice(0, most)
}

function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count))
  return list.filter((_, index) => index % step === 0).slice(0, count)
}
