import type { Dataset, DatasetItem } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Segmented, Select, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { classToken } from '../../lib/class-colour.ts'
import { useClassName } from '../../lib/class-name.ts'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Lightbox, LightboxPane } from '../../ui/pictures/lightbox.tsx'
import styles from './dataset-items.module.css'
import { ItemPicture } from './item-picture.tsx'
import { rememberedSize, rememberSize, sizes } from './picture-size.ts'

/** What can be laid over pictures, by task. */
const marks: Partial<Record<Task, 'showMasks' | 'showBoxes'>> = {
  segmentation: 'showMasks',
  volume_segmentation: 'showMasks',
  detection: 'showBoxes',
}
/** Tasks in which a picture as a whole belongs to a class, or shows things of it. */
const byClass: ReadonlySet<Task> = new Set<Task>(['classification', 'multilabel', 'detection'])

/** All pictures of a data set, or those of one class; masks or boxes can be laid over them. */
export function DatasetItems({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation('datasets')
  const [chosen, setChosen] = useState<number | null>(null)
  const [showsMarks, setShowsMarks] = useState(true)
  const [opened, setOpened] = useState<string | null>(null)
  const [size, setSize] = useState(rememberedSize)
  const dataset = useCall('datasets/detail', { id: datasetId }, { quiet: true })
  const query = useInfiniteQuery({
    queryKey: ['datasets/items', { id: datasetId, class: chosen }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('datasets/items', { id: datasetId, class: chosen, after: pageParam }, { quiet: true, signal }),
    initialPageParam: null as string | null, // Otherwise inferred as null alone.
    getNextPageParam: (page) => page.next,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const task = dataset.data?.task ?? null
  const mark = task === null ? undefined : marks[task]
  return (
    <>
      <div className={styles.tools}>
        {dataset.data && task !== null && byClass.has(task) && (
          <ClassSelect dataset={dataset.data} chosen={chosen} onChoose={setChosen} />
        )}
        {mark && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control
          <label className={styles.switch}>
            <Switch checked={showsMarks} onChange={setShowsMarks} /> {t(mark)}
          </label>
        )}
        <Segmented
          aria-label={t('pictureSize')}
          value={size}
          options={sizes.map((one) => ({ value: one, label: t(`pictureSizes.${one}`) }))}
          onChange={(one) => {
            rememberSize(one)
            setSize(one)
          }}
        />
      </div>
      {dataset.data && showsMarks && items.some(({ shades }) => shades) && (
        <ClassLegend dataset={dataset.data} />
      )}
      {query.isPending && <Loading shape="cards" count={8} />}
      {query.isError && items.length === 0 && (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && items.length === 0 && <EmptyState title={t('noItems')} />}
      {dataset.data && (
        <ul className={styles.grid} data-size={size} data-pairs={dataset.data.classes.length === 0}>
          {items.map((item) => (
            <Item
              key={item.id}
              item={item}
              dataset={dataset.data}
              showsMarks={showsMarks}
              onOpen={() => setOpened(item.id)}
            />
          ))}
        </ul>
      )}
      {dataset.data && (
        <Enlarged
          items={items}
          opened={opened}
          onOpen={setOpened}
          dataset={dataset.data}
          mark={mark ? { name: t(mark), isOn: showsMarks, onToggle: () => setShowsMarks(!showsMarks) } : null}
        />
      )}
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

type ItemProps = { item: DatasetItem; dataset: Dataset; showsMarks: boolean; onOpen: () => void }

function Item({ item, dataset, showsMarks, onOpen }: ItemProps) {
  const { t } = useTranslation('datasets')
  const said = useSaid(dataset)
  return (
    <li>
      <button
        type="button"
        className={styles.open}
        aria-label={t('enlarge', { name: item.name })}
        onClick={onOpen}
      >
        <ItemPicture item={item} task={dataset.task} showsMarks={showsMarks} />
      </button>
      <span title={item.name}>{item.name.slice(item.name.lastIndexOf('/') + 1)}</span>
      <small>
        {said(item)}
        {item.part && ` · ${t(`given.${item.part}`)}`}
      </small>
    </li>
  )
}

/** Which colour is which class; the background has none. */
function ClassLegend({ dataset }: { dataset: Dataset }) {
  const classNameOf = useClassName('segmentation')
  return (
    <ul className={styles.legend}>
      {dataset.classes.slice(1).map((name, index) => (
        <li key={name}>
          <span style={{ background: `var(${classToken(index)})` }} aria-hidden="true" />
          {classNameOf(name)}
        </li>
      ))}
    </ul>
  )
}

type EnlargedProps = {
  items: readonly DatasetItem[]
  /** By its id. */
  opened: string | null
  onOpen: (id: string | null) => void
  dataset: Dataset
  mark: { name: string; isOn: boolean; onToggle: () => void } | null
}

/** One picture over the whole window, with the way to those before and after. */
function Enlarged({ items, opened, onOpen, dataset, mark }: EnlargedProps) {
  const { t } = useTranslation('datasets')
  const said = useSaid(dataset)
  const [zoom, setZoom] = useState(1)
  const place = items.findIndex(({ id }) => id === opened)
  const item = items[place]
  const leadTo = (next: DatasetItem | undefined) =>
    next
      ? () => {
          setZoom(1)
          onOpen(next.id)
        }
      : null
  return (
    <Lightbox
      open={item !== undefined}
      name={item?.name ?? ''}
      caption={item ? `${t('place', { number: place + 1, count: items.length })}, ${said(item)}` : ''}
      onBack={leadTo(items[place - 1])}
      onNext={leadTo(place < 0 ? undefined : items[place + 1])}
      zoom={zoom}
      onZoom={setZoom}
      toggles={mark ? [{ key: 'm', ...mark }] : []}
      told={mark?.isOn && item?.shades ? <ClassLegend dataset={dataset} /> : null}
      onClose={() => onOpen(null)}
    >
      {item && (
        <LightboxPane zoom={zoom} onZoom={setZoom}>
          <ItemPicture item={item} task={dataset.task} showsMarks={mark?.isOn ?? true} isLarge />
        </LightboxPane>
      )}
    </Lightbox>
  )
}

/** What the data set says of a picture in a few words, or its size. */
function useSaid(dataset: Dataset): (item: DatasetItem) => string {
  const { t } = useTranslation('datasets')
  const nameOf = (index: number) => dataset.classes[index] ?? String(index + 1)
  return ({ class: own, labels, boxes, depth, width, height }) => {
    if (own !== null) return nameOf(own)
    if (labels !== null) return labels.length > 0 ? labels.map(nameOf).join(', ') : t('noLabels')
    if (boxes !== null) return t('boxCount', { count: boxes.length })
    if (depth !== null) return `${width} × ${height} · ${t('slice', { count: depth })}`
    return `${width} × ${height}`
  }
}

type ClassSelectProps = { dataset: Dataset; chosen: number | null; onChoose: (chosen: number | null) => void }

function ClassSelect({ dataset, chosen, onChoose }: ClassSelectProps) {
  const { t } = useTranslation('datasets')
  const classNameOf = useClassName(dataset.task ?? 'classification')
  const options = dataset.classes.map((name, index) => ({
    value: index,
    label: `${classNameOf(name)} (${formatNumber(dataset.facts?.classCounts[index] ?? 0)})`,
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
