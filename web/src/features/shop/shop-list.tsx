import { SearchOutlined } from '@ant-design/icons'
import type { Body } from '@neuroloom/contract/calls'
import { licences, modalities, organs, sizeNames } from '@neuroloom/contract/shop/words'
import { tasks } from '@neuroloom/contract/task'
import { Checkbox, Input, Select } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '../../lib/query.ts'
import shared from '../../ui/card.module.css'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ListingCard } from './listing-card.tsx'
import styles from './shop.module.css'

const filters = {
  task: tasks,
  organ: organs,
  modality: modalities,
  licence: licences,
  size: sizeNames,
} as const
type Filter = keyof typeof filters
const filterNames = ['task', 'organ', 'modality', 'licence', 'size'] as const satisfies readonly Filter[]
const orders = ['newest', 'used', 'rating', 'price'] as const

/** Models of members; what is filtered by stands in the address, so that it can be handed on. */
export function ShopList() {
  const { t } = useTranslation(['shop', 'tasks'])
  const [query, setQuery] = useSearchParams()
  const typed = useTyped()
  const set = (changes: Record<string, string | null>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete('page')
        for (const [name, value] of Object.entries(changes))
          if (value === null || value === '') next.delete(name)
          else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const wanted = wishOf(query, typed.settled)
  const { data, error, refetch } = useCall('shop/list', wanted, { quiet: true, keepPrevious: true })
  const isAll = filterNames.every((name) => wanted[name] === null) && !wanted.held && typed.settled === ''
  useForgetPage(typed.settled, () => set({}))
  const labelOf = (name: Filter, value: string): string => {
    if (name === 'task') return t(`tasks:name.${value}`)
    return name === 'licence' ? t(`licence.${value}.name`) : t(`${name}.${value}`)
  }
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
        {filterNames.map((name) => (
          <Select
            key={name}
            aria-label={t(`filter.${name}`)}
            showSearch={{ optionFilterProp: 'label' }}
            value={wanted[name] ?? ''}
            onChange={(value: string) => set({ [name]: value })}
            options={[
              { value: '', label: t(`filter.all_${name}`) },
              ...filters[name].map((value) => ({
                value: value as string,
                label: labelOf(name, value),
              })),
            ]}
          />
        ))}
        <Select
          aria-label={t('filter.order')}
          value={wanted.order ?? 'newest'}
          onChange={(value) => set({ order: value === 'newest' ? null : value })}
          options={orders.map((value) => ({ value, label: t(`order.${value}`) }))}
        />
        <Checkbox
          checked={wanted.held === true}
          onChange={({ target }) => set({ mine: target.checked ? '1' : null })}
        >
          {t('filter.mine')}
        </Checkbox>
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={4} />}
      {data?.total === 0 && (
        <EmptyState
          title={t(isAll ? 'empty.title' : 'empty.none')}
          text={t(isAll ? 'empty.text' : 'empty.noneText')}
        />
      )}
      <ul className={shared.grid} aria-label={t('models')}>
        {data?.listings.map((card) => (
          <li key={card.id}>
            <ListingCard card={card} />
          </li>
        ))}
      </ul>
      {data && (
        <ListPages
          {...data}
          page={wanted.page ?? 1}
          onPage={(page) => set({ page: page === 1 ? null : String(page) })}
        />
      )}
    </>
  )
}

/** Another word searched for begins with its first page. */
function useForgetPage(word: string, forget: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another word is a reason
  useEffect(() => {
    if (word !== '') forget()
  }, [word])
}

function wishOf(query: URLSearchParams, search: string): Body<'shop/list'> {
  const one = <Value extends string>(name: string, values: readonly Value[]): Value | null =>
    values.find((value) => value === query.get(name)) ?? null
  return {
    search,
    task: one('task', tasks),
    organ: one('organ', organs),
    modality: one('modality', modalities),
    licence: one('licence', licences),
    size: one('size', sizeNames),
    held: query.get('mine') === '1',
    order: one('order', orders) ?? 'newest',
    page: Math.max(1, Math.floor(Number(query.get('page') ?? 1)) || 1),
  }
}
