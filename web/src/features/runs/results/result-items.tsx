import type { Answer } from '@neuroloom/contract/calls'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { HeatNote } from '../evidence/heat-note.tsx'
import { ItemGallery } from './item-gallery.tsx'
import { itemKind, textContext } from './item-kind.ts'
import styles from './items.module.css'

const orders = ['worst', 'wrong', 'best'] as const
type Order = (typeof orders)[number]
type Page = Answer<'runs/items'>

/** The results picture by picture, worst first, a page at a time. */
export function ResultItems({ run }: { run: LearnedRun }) {
  const { t } = useTranslation(['runs', 'results'])
  const context = textContext(run.task)
  const [order, setOrder] = useState<Order>('worst')
  const query = useInfiniteQuery({
    queryKey: ['runs/items', { id: run.id, order }],
    queryFn: ({ pageParam, signal }) =>
      call('runs/items', { id: run.id, order, after: pageParam }, { quiet: true, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }: Page) => next,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const total = query.data?.pages[0]?.total ?? 0
  return (
    <>
      {run.kind === 'test' ? <HeatNote run={run} /> : null}
      <div className={styles.tools}>
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
        {query.data ? (
          <span className={styles.count}>{t('results:items.total', { count: total, context })}</span>
        ) : null}
      </div>
      {query.isPending ? <Loading shape="cards" /> : null}
      {query.isError ? <ErrorState error={query.error} retry={() => void query.refetch()} /> : null}
      {query.data && total === 0 ? (
        <p className={styles.none}>{t(`results:items.none.${wordFor(order, run)}`, { context })}</p>
      ) : null}
      <ItemGallery items={items} run={run} />
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

/** A class or a label is named wrongly; an outline or a box is never wrong as a whole, only poor. */
const wordFor = (order: Order, { task }: LearnedRun): Order | 'poor' =>
  order === 'wrong' && !['class', 'labels'].includes(itemKind[task]) ? 'poor' : order
