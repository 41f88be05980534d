import { DownloadOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { saveBlob } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { useAction } from '../../../lib/query.ts'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { MetricName } from '../results/metric-name.tsx'
import tables from '../results/tables.module.css'
import styles from './evidence.module.css'

const orders = ['worst', 'best', 'name', 'items'] as const
type Order = (typeof orders)[number]
type Page = Answer<'runs/groups'>

/** What a test gave patient by patient; nothing where the data set names none. */
export function GroupPanel({ run }: { run: LearnedRun }) {
  const { t } = useTranslation('evidence')
  const [order, setOrder] = useState<Order>('worst')
  const query = useInfiniteQuery({
    queryKey: ['runs/groups', { id: run.id, order }],
    queryFn: ({ pageParam, signal }) =>
      call('runs/groups', { id: run.id, order, after: pageParam }, { quiet: true, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }: Page) => next,
    placeholderData: (before) => before,
  })
  const save = useAction('runs/groupTable', {
    refresh: [],
    onDone: ({ name, text }) => saveBlob(name, new Blob([text], { type: 'text/csv;charset=utf-8' })),
  })
  const first = query.data?.pages[0]
  if (!first || first.total === 0) return null
  return (
    <Panel
      title={t('groups.title')}
      extra={
        <Button
          icon={<DownloadOutlined />}
          loading={save.isPending}
          onClick={() => save.mutate({ id: run.id })}
        >
          {t('groups.save')}
        </Button>
      }
    >
      <p className={styles.lead}>{t('groups.lead', { count: first.total })}</p>
      <Segmented<Order>
        aria-label={t('groups.order')}
        className={styles.order ?? ''}
        value={order}
        onChange={setOrder}
        options={orders.map((value) => ({ value, label: t(`groups.by.${value}`) }))}
      />
      <GroupTable pages={query.data?.pages ?? []} />
      {query.hasNextPage ? (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('groups.more')}
        </Button>
      ) : null}
    </Panel>
  )
}

function GroupTable({ pages }: { pages: readonly Page[] }) {
  const { t } = useTranslation('evidence')
  const metric = pages[0]?.metric ?? ''
  return (
    <ScrollRegion name={t('groups.title')} className={tables.scroll}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('groups.name')}</th>
            <th scope="col" className={tables.number}>
              {t('groups.items')}
            </th>
            <th scope="col" className={tables.number}>
              <MetricName name={metric} />, {t('groups.mean')}
            </th>
            <th scope="col">{t('groups.worst')}</th>
          </tr>
        </thead>
        <tbody>
          {pages.flatMap(({ groups }) =>
            groups.map(({ name, items, mean, worst }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className={tables.number}>{formatNumber(items)}</td>
                <td className={tables.number}>{formatMetric(metric, mean)}</td>
                <td>{worst.name}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
