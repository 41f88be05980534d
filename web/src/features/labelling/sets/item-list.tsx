import { SearchOutlined } from '@ant-design/icons'
import {
  itemShows,
  type LabelItem,
  type LabelSet,
  readingStates,
} from '@neuroloom/contract/labelling/labelling'
import { Input, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { usePages } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useTyped } from '../../../ui/hooks/use-typed.ts'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import styles from './sets.module.css'

const whoses = ['mine', 'all'] as const
type Whose = (typeof whoses)[number]

/** The images of a set by where their readings stand, and the way into each. What is chosen stands in the address. */
export function ItemList({ set }: { set: LabelSet }) {
  const { t } = useTranslation('labelling')
  const [address, setAddress] = useSearchParams()
  const search = useTyped()
  const maySeeAll = set.right !== 'read' || !set.blind
  const show = itemShows.find((name) => name === address.get('show')) ?? 'all'
  const of: Whose = maySeeAll && address.get('of') === 'all' ? 'all' : 'mine'
  const choose = (changed: Partial<{ show: string; of: Whose }>) =>
    setAddress((before) => new URLSearchParams({ ...Object.fromEntries(before), ...changed }), {
      replace: true,
    })
  const query = usePages('labelling/items', { id: set.id, show, of, search: search.settled })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <div className={styles.filters}>
        <Select
          className={styles.show ?? ''}
          aria-label={t('items.show')}
          value={show}
          popupMatchSelectWidth={false}
          options={itemShows.map((value) => ({ value, label: t(`items.${value}`) }))}
          onChange={(value) => choose({ show: value })}
        />
        {maySeeAll && (
          <Segmented
            value={of}
            aria-label={t('items.of')}
            options={whoses.map((value) => ({ value, label: t(`items.ofWhom.${value}`) }))}
            onChange={(value) => choose({ of: value })}
          />
        )}
        <Input
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('items.search')}
          aria-label={t('items.search')}
          value={search.text}
          onChange={({ target }) => search.setText(target.value)}
        />
      </div>
      {query.isPending && <Loading shape="cards" count={8} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && items.length === 0 && set.state === 'ready' && (
        <EmptyState title={t('items.none')} />
      )}
      <ul className={styles.items}>
        {items.map((item) => (
          <Item key={item.id} item={item} set={set} of={of} />
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}

function Item({ item, set, of }: { item: LabelItem; set: LabelSet; of: Whose }) {
  const { t } = useTranslation('labelling')
  const { id, name, mine, thumbnail, kind } = item
  const address = `/labelling?set=${encodeURIComponent(set.id)}&item=${encodeURIComponent(id)}`
  return (
    <li data-state={mine ?? 'new'}>
      <Link to={address}>
        {thumbnail ? (
          <img src={thumbnail} alt="" loading="lazy" />
        ) : (
          <span className={styles.noPicture}>{t(`kind.${kind}`)}</span>
        )}
        <span className={styles.itemName}>{name}</span>
        {of === 'mine' ? (
          <span className={styles.itemState}>{t(`state.${mine ?? 'new'}`)}</span>
        ) : (
          <States readings={item.readings} />
        )}
      </Link>
    </li>
  )
}

/** Of all who read the image. */
function States({ readings }: Pick<LabelItem, 'readings'>) {
  const { t } = useTranslation('labelling')
  const there = readingStates.filter((state) => readings[state] > 0)
  return (
    <span className={styles.itemState}>
      {there.length === 0
        ? t('state.new')
        : there.map((state) => `${t(`state.${state}`)}: ${formatNumber(readings[state])}`).join(' · ')}
    </span>
  )
}
