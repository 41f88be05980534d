import { SearchOutlined } from '@ant-design/icons'
import { type WorkTask, workTasks } from '@neuroloom/contract/market/demand'
import { Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import shared from '../../ui/card.module.css'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { CaseCard } from './case-card.tsx'
import styles from './market.module.css'
import { useTaskName } from './use-task-name.ts'

/** Public cases, or the own ones. */
export function CaseList({ isOwn = false }: { isOwn?: boolean }) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const typed = useTyped()
  const search = typed.settled
  const [task, setTask] = useState<WorkTask | null>(null)
  const wish = `${search} ${task}`
  const [place, setPlace] = useState({ wish, page: 1 })
  // Another wish begins with its first page.
  const page = place.wish === wish ? place.page : 1
  const { data, error, refetch } = useCall(
    'case/list',
    { own: isOwn, search, task, page },
    { quiet: true, keepPrevious: true },
  )
  const isAll = search === '' && task === null
  const empty = isOwn ? 'own' : 'all'
  return (
    <>
      <div className={styles.tools}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('case.search')}
          aria-label={t('case.search')}
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
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={4} />}
      {data?.total === 0 && (
        <EmptyState
          title={t(isAll ? `case.empty.${empty}` : 'case.empty.none')}
          text={t(isAll ? `case.emptyText.${empty}` : 'case.emptyText.none')}
        />
      )}
      <ul className={shared.grid} aria-label={t('cases')}>
        {data?.cases.map((card) => (
          <li key={card.id}>
            <CaseCard card={card} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={(next) => setPlace({ wish, page: next })} />}
    </>
  )
}
