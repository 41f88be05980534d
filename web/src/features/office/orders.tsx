import { SearchOutlined } from '@ant-design/icons'
import type { OfficeOrder, OrderState, PayMethod } from '@neuroloom/contract/membership/orders'
import { Input, Select } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { OrderTable } from './order-table.tsx'
import { orderStates } from './state-marks.tsx'

const OrderDrawer = lazyPart(async () => (await import('./order-drawer.tsx')).OrderDrawer, { over: true })

const methods: readonly PayMethod[] = ['wechat', 'alipay', 'transfer']

/** All orders, the newest first: found by number, account, state and method; each opens with what can be done for it. */
export function Orders() {
  const { t } = useTranslation('office')
  const search = useTyped()
  const [state, setState] = useState<OrderState | null>(null)
  const [method, setMethod] = useState<PayMethod | null>(null)
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<OfficeOrder | null>(null)
  const wanted = { search: search.settled, state, method, page }
  const { data, error, refetch, isPlaceholderData } = useCall('office/orders', wanted, {
    quiet: true,
    keepPrevious: true,
  })
  const isAll = search.settled === '' && state === null && method === null
  const first = (set: () => void) => {
    set()
    setPage(1)
  }
  // What was decided may have been the last of its page.
  if (data?.orders.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      <div className={list.tools}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('orders.search')}
          aria-label={t('orders.search')}
          maxLength={200}
          value={search.text}
          onChange={({ target }) => first(() => search.setText(target.value))}
        />
        <Select<OrderState | 'all'>
          className={list.select ?? ''}
          aria-label={t('orders.state')}
          value={state ?? 'all'}
          onChange={(chosen) => first(() => setState(chosen === 'all' ? null : chosen))}
          options={[
            { value: 'all' as const, label: t('orders.allStates') },
            ...orderStates.map((value) => ({ value, label: t(`state.${value}`) })),
          ]}
        />
        <Select<PayMethod | 'all'>
          className={list.select ?? ''}
          aria-label={t('orders.method')}
          value={method ?? 'all'}
          onChange={(chosen) => first(() => setMethod(chosen === 'all' ? null : chosen))}
          options={[
            { value: 'all' as const, label: t('orders.allMethods') },
            ...methods.map((value) => ({ value, label: t(`method.${value}`) })),
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={6} />}
      {data?.orders.length === 0 && (
        <EmptyState
          title={t(isAll ? 'orders.empty' : 'orders.none')}
          text={t(isAll ? 'orders.emptyText' : 'orders.noneText')}
        />
      )}
      {data && data.orders.length > 0 && <OrderTable orders={data.orders} onOpen={setOpened} />}
      {data && <ListPages {...data} page={page} onPage={setPage} />}
      <Suspense>
        {opened && <OrderDrawer order={opened} onChange={setOpened} onClose={() => setOpened(null)} />}
      </Suspense>
    </>
  )
}
