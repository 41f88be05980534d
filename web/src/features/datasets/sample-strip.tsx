import type { Dataset, DatasetItem } from '@neuroloom/contract/datasets'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import styles from './dataset-card.module.css'
import { ItemPicture } from './item-picture.tsx'

const shownSamples = 8
/** Each of two pictures. */
const shownPairs = 4
const shownClasses = 4

/** A few pictures, taken from all over the data set, to see at a glance that it is the right one. */
export function SampleStrip({ dataset, onOpen }: { dataset: Dataset; onOpen: () => void }) {
  const { t } = useTranslation('datasets')
  const items = useSamples(dataset)
  const isPairs = dataset.classes.length === 0
  // The place is kept: what lies below must not move away under somebody's press.
  const coming = Array.from({ length: placesOf(dataset) }, (_, index) => index)
  return (
    <div className={styles.samples}>
      <div className={styles.strip} data-pairs={isPairs} aria-hidden>
        {items?.map((item) => <ItemPicture key={item.id} item={item} task={dataset.task} />) ??
          coming.map((place) => <span key={place} className={styles.coming} />)}
      </div>
      <button type="button" className={styles.all} onClick={onOpen}>
        {t('showItems')}
      </button>
    </div>
  )
}

/** The same in one row, for a data set that is no longer looked at closely. */
export function SampleRow({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  const items = useSamples(dataset)
  const count = dataset.parts.find(({ part }) => part === 'image')?.items ?? 0
  const word = dataset.task === 'volume_segmentation' ? 'volume' : 'image'
  return (
    <div className={styles.sampleRow}>
      <span>
        <strong>{dataset.name}</strong>
        <small>{t(`partItems.${word}`, { count, shown: formatNumber(count) })}</small>
      </span>
      <div className={styles.sampleStrip} aria-hidden>
        {items?.map((item) => (
          <ItemPicture key={item.id} item={item} task={dataset.task} />
        ))}
      </div>
    </div>
  )
}

const placesOf = ({ classes, parts }: Dataset): number =>
  Math.min(classes.length === 0 ? shownPairs : shownSamples, parts[0]?.items ?? 0)

/** null: on their way. The first items often all belong to one class, so a few classes are asked for one by one. */
function useSamples(dataset: Dataset): DatasetItem[] | null {
  const { id, classes, task } = dataset
  const asked = task === 'classification' ? spread([...classes.keys()], shownClasses) : [null]
  const pages = useQueries({
    queries: asked.map((one) => ({
      queryKey: ['datasets/items', { id, class: one }],
      queryFn: () => call('datasets/items', { id, class: one }, { quiet: true }),
    })),
  })
  if (pages.some(({ isPending }) => isPending)) return null
  const most = placesOf(dataset)
  const share = Math.ceil(most / asked.length)
  return pages.flatMap(({ data }) => spread(data?.items ?? [], share)).slice(0, most)
}

function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count))
  return list.filter((_, index) => index % step === 0).slice(0, count)
}
