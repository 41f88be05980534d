import { SearchOutlined } from '@ant-design/icons'
import type { Body } from '@neuroloom/contract/calls'
import type { DemandList as Which } from '@neuroloom/contract/market/calls'
import { type WorkTask, workTasks } from '@neuroloom/contract/market/demand'
import { Input, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import shared from '../../ui/card.module.css'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { DemandCard } from './demand-card.tsx'
import styles from './market.module.css'
import { useTaskName } from './use-task-name.ts'

type Order = NonNullable<Body<'demand/list'>['order']>
const orders = ['newest', 'deadline', 'budget'] as const satisfies readonly Order[]

/** Demands of one list, a page at a time; `action` stands where there is none yet. */
export function DemandList({ which, action }: { which: Which; action?: ReactNode }) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const typed = useTyped()
  const [task, setTask] = useState<WorkTask | null>(null)
  const [order, setOrder] = useState<Order>('newest')
  const search = typed.settled
  const wish = `${search} ${task} ${order}`
  const [place, setPlace] = useState({ wish, page: 1 })
  // Another wish begins with its first page.
  const page = place.wish === wish ? place.page : 1
  const { data, error, refetch } = useCall(
    'demand/list',
    { list: which, search, task, order, page },
    { quiet: true, keepPrevious: true },
  )
  const isAll = search === '' && task === null
  return (
    <>
      <div className={styles.tools}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('search')}
          aria-label={t('search')}
          maxLength={200}
          value={typed.text}
          onChange={({ target }) => typed.setText(target.value)}
        />
        <Select<WorkTask | 'all'>
          aria-label={t('task')}
          value={task ?? 'all'}
          onChange={(value) => setTask(value === 'all' ? null : value)}
          options={[
            { value: 'all' as const, label: t('allTasks') },
            ...workTasks.map((value) => ({ value, label: nameOf(value) })),
          ]}
        />
        <Select<Order>
          aria-label={t('order.label')}
          value={order}
          onChange={setOrder}
          options={orders.map((value) => ({ value, label: t(`order.${value}`) }))}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={4} />}
      {data?.total === 0 && (
        <EmptyState
          title={t(isAll ? `empty.${which}.title` : 'empty.none.title')}
          text={t(isAll ? `empty.${which}.text` : 'empty.none.text')}
          action={isAll ? action : undefined}
        />
      )}
      <ul className={shared.grid} aria-label={t('demands')}>
        {data?.demands.map((card) => (
          <li key={card.id}>
            <DemandCard card={card} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={(next) => setPlace({ wish, page: next })} />}
    </>
  )
}
