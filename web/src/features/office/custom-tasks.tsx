import type { OfficeTask } from '@neuroloom/contract/custom/task-calls'
import type { CustomKind } from '@neuroloom/contract/custom/task-states'
import { Select } from 'antd'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { CustomPrices } from './custom-prices.tsx'
import { CustomTaskCard } from './custom-task-card.tsx'
import styles from './office.module.css'

type State = OfficeTask['state']
const states = ['pending_review', 'approved', 'processing', 'unpaid', 'rejected', 'completed'] as const
const kinds = ['customisation', 'tuning'] as const

type Props = {
  /** Reports progress and completion, which providers do as well. */
  Work: ComponentType<{ task: OfficeTask }>
}

/** Custom tasks of all members, first those that wait for their review. */
export function CustomTasks({ Work }: Props) {
  const { t } = useTranslation('custom-office')
  const [state, setState] = useState<State | null>('pending_review')
  const [kind, setKind] = useState<CustomKind | null>(null)
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/customTasks',
    { state, kind, page },
    { quiet: true, keepPrevious: true },
  )
  // What was decided may have been the last of its page.
  if (data?.tasks.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      <CustomPrices />
      <div className={list.tools}>
        <Select<State | 'all'>
          aria-label={t('state')}
          value={state ?? 'all'}
          onChange={(chosen) => {
            setState(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            ...states.map((value) => ({ value, label: t(`states.${value}`) })),
            { value: 'all' as const, label: t('allStates') },
          ]}
        />
        <Select<CustomKind | 'all'>
          aria-label={t('kind')}
          value={kind ?? 'all'}
          onChange={(chosen) => {
            setKind(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            { value: 'all' as const, label: t('allKinds') },
            ...kinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.tasks.length === 0 && (
        <EmptyState title={t(state === 'pending_review' ? 'noneWaits' : 'none')} text={t('emptyText')} />
      )}
      <ul className={styles.cards} aria-label={t('title')}>
        {data?.tasks.map((task) => (
          <li key={task.id}>
            <CustomTaskCard task={task} work={<Work task={task} />} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}
