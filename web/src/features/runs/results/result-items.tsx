import type { Answer } from '@neuroloom/contract/calls'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Segmented, Tag } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { HeatNote } from '../evidence/heat-note.tsx'
import { poorBelow } from './bad-cases.tsx'
import { ItemGallery } from './item-gallery.tsx'
import { itemKind, textContext } from './item-kind.ts'
import { itemMetric } from './item-metric.ts'
import styles from './items.module.css'

const orders = ['worst', 'wrong', 'best'] as const
type Order = (typeof orders)[number]
type Page = Answer<'runs/items'>

/** A bar of the histogram, or a cell of the confusion matrix, with the words for it; or what went badly. */
export type ItemFilter =
  | { bad: true }
  | { bin: number; from: string; to: string }
  | { cell: { truth: number; named: number }; truth: string; named: string }

type Props = {
  run: LearnedRun
  /** Only some of them; null = all. */
  filter?: ItemFilter | null
  onClear?: () => void
}

/** The results picture by picture, worst first, a page at a time. */
export function ResultItems({ run, filter = null, onClear }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const context = textContext(run.task)
  const [order, setOrder] = useState<Order>('worst')
  const only = asked(filter)
  const query = useInfiniteQuery({
    queryKey: ['runs/items', { id: run.id, order, ...only }],
    queryFn: ({ pageParam, signal }) =>
      call('runs/items', { id: run.id, order, after: pageParam, ...only }, { quiet: true, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }: Page) => next,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const total = query.data?.pages[0]?.total ?? 0
  const place = useRef<HTMLDivElement>(null)
  // Whoever presses a bar wants to see its images.
  useEffect(() => {
    if (filter) place.current?.scrollIntoView?.({ block: 'start' })
  }, [filter])
  return (
    <>
      {run.kind === 'test' ? <HeatNote run={run} /> : null}
      <div className={styles.tools} ref={place}>
        <Segmented<Order>
          aria-label={t('results:items.order')}
          className={styles.order ?? ''}
          value={order}
          onChange={setOrder}
          options={orders.map((value) => ({
            value,
            label: t(`results:items.${wordFor(value, run)}First`, { context }),
          }))}
        />
        {filter ? (
          <Tag closable={{ 'aria-label': t('results:filter.clear') }} onClose={() => onClear?.()}>
            <FilterText filter={filter} run={run} />
          </Tag>
        ) : null}
        {query.data ? (
          <span className={styles.count}>{t('results:items.total', { count: total, context })}</span>
        ) : null}
      </div>
      {query.isPending ? <Loading shape="cards" /> : null}
      {query.isError ? <ErrorState error={query.error} retry={() => void query.refetch()} /> : null}
      {query.data && total === 0 ? (
        <p className={styles.none}>{t(`results:items.none.${wordFor(order, run)}`, { context })}</p>
      ) : null}
      <ItemGallery items={items} run={run} hasLargest={order === 'worst' && filter === null} />
      {query.hasNextPage ? (
        <Button
          className={styles.more ?? ''}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('results:items.more')}
        </Button>
      ) : null}
    </>
  )
}

function asked(filter: ItemFilter | null) {
  if (filter === null) return {}
  if ('bad' in filter) return { bad: true }
  return 'bin' in filter ? { bin: filter.bin } : { cell: filter.cell }
}

function FilterText({ filter, run }: { filter: ItemFilter; run: LearnedRun }) {
  const { t } = useTranslation(['runs', 'results'])
  if ('cell' in filter) return t('results:filter.cell', { truth: filter.truth, named: filter.named })
  if ('bad' in filter) return t(`results:filter.bad.${itemKind[run.task]}`, { limit: poorBelow() })
  const { from, to } = filter
  return t('results:filter.bin', { metric: t(`metric.${itemMetric(run.task)}.name`), from, to })
}

/** A class or a label is named wrongly; an outline or a box is never wrong as a whole, only poor. */
const wordFor = (order: Order, { task }: LearnedRun): Order | 'poor' =>
  order === 'wrong' && !['class', 'labels'].includes(itemKind[task]) ? 'poor' : order
