import type { AssignedTask } from '@neuroloom/contract/custom/task-calls'
import { Progress } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './custom.module.css'
import { sourceFact, taskFactsOf } from './task-facts.tsx'
import { TaskMark } from './task-mark.tsx'
import { WorkActions } from './work-actions.tsx'

/** The tasks that the signed-in provider works on. */
export function AssignedTasks() {
  const { t } = useTranslation('custom')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    'customTask/assigned',
    { page },
    { quiet: true, keepPrevious: true },
  )
  if (!data)
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="cards" count={2} />
    )
  if (data.total === 0) return <EmptyState title={t('assigned.none')} text={t('assigned.noneText')} />
  return (
    <>
      <ul className={styles.cards} aria-label={t('assigned.title')}>
        {data.tasks.map((task) => (
          <li key={task.id}>
            <AssignedCard task={task} />
          </li>
        ))}
      </ul>
      <ListPages {...data} page={page} onPage={setPage} />
    </>
  )
}

function AssignedCard({ task }: { task: AssignedTask }) {
  const { t } = useTranslation(['custom', 'tasks'])
  const title = useId()
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{task.title}</h2>
        <TaskMark state={task.state} />
      </header>
      {task.state !== 'approved' && (
        <Progress percent={task.progress} aria-label={t('progress')} status="normal" />
      )}
      <p className={styles.text}>{task.description}</p>
      <Facts
        facts={[
          [t('fact.member'), task.member.nickName],
          ...taskFactsOf(task, t),
          sourceFact(task, t, false),
        ]}
      />
      <div className={styles.actions}>
        <WorkActions task={task} />
      </div>
    </article>
  )
}
