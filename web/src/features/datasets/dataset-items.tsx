import type { Dataset } from '@neuroloom/contract/datasets'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Select, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { className } from './class-name.ts'
import styles from './dataset-items.module.css'
import { type DatasetItem, ItemPicture } from './item-picture.tsx'

/** All pictures of a data set, or those of one class; masks can be laid over them. */
export function DatasetItems({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation('datasets')
  const [chosen, setChosen] = useState<number | null>(null)
  const [showsMask, setShowsMask] = useState(true)
  const dataset = useCall('datasets/detail', { id: datasetId }, { quiet: true })
  const query = useInfiniteQuery({
    queryKey: ['datasets/items', { id: datasetId, class: chosen }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('datasets/items', { id: datasetId, class: chosen, after: pageParam }, { quiet: true, signal }),
    initialPageParam: null as string | null, // Otherwise inferred as null alone.
    getNextPageParam: (page) => page.next,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const hasMasks = dataset.data?.layout === 'images_masks'
  return (
    <>
      <div className={styles.tools}>
        {dataset.data && !hasMasks && (
          <ClassSelect dataset={dataset.data} chosen={chosen} onChoose={setChosen} />
        )}
        {hasMasks && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control
          <label className={styles.switch}>
            <Switch checked={showsMask} onChange={setShowsMask} /> {t('showMasks')}
          </label>
        )}
      </div>
      {query.isPending && <Loading shape="cards" count={8} />}
      {query.isError && items.length === 0 && (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && items.length === 0 && <EmptyState title={t('noItems')} />}
      <ul className={styles.grid}>
        {items.map((item) => (
          <Item key={item.id} item={item} dataset={dataset.data} showsMask={showsMask} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}

type ItemProps = { item: DatasetItem; dataset: Dataset | undefined; showsMask: boolean }

function Item({ item, dataset, showsMask }: ItemProps) {
  const label = item.class === null ? undefined : dataset?.classes[item.class]
  return (
    <li>
      <ItemPicture item={item} showsMask={showsMask} />
      <span title={item.name}>{item.name.slice(item.name.lastIndexOf('/') + 1)}</span>
      <small>{label ?? `${item.width} × ${item.height}`}</small>
    </li>
  )
}

type ClassSelectProps = { dataset: Dataset; chosen: number | null; onChoose: (chosen: number | null) => void }

function ClassSelect({ dataset, chosen, onChoose }: ClassSelectProps) {
  const { t } = useTranslation('datasets')
  const options = dataset.classes.map((name, index) => ({
    value: index,
    label: `${className(name, dataset.layout, t)} (${formatNumber(dataset.facts?.classCounts[index] ?? 0)})`,
  }))
  return (
    <div className={styles.select}>
      <Select<number>
        aria-label={t('chooseClass')}
        value={chosen ?? -1}
        onChange={(value) => onChoose(value < 0 ? null : value)}
        options={[{ value: -1, label: t('allClasses') }, ...options]}
        showSearch={{ optionFilterProp: 'label' }}
      />
    </div>
  )
}
