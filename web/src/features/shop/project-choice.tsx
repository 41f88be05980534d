import type { Task } from '@neuroloom/contract/task'
import { Alert, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAllPages } from '../../lib/query.ts'
import styles from './shop.module.css'

/** Projects of a task that one may change, of which the first is chosen at first; '' where there is none. */
export function useProjectOf(task: Task) {
  const { data, hasNextPage } = useAllPages('projects/list', {})
  const fitting = (data?.pages ?? [])
    .flatMap((page) => page.projects)
    .filter((project) => project.access !== 'view' && project.task === task)
  const [chosen, choose] = useState<string | null>(null)
  return {
    ...{ task, fitting, choose },
    isLoaded: data !== undefined && !hasNextPage,
    projectId: chosen ?? fitting[0]?.id ?? '',
  }
}

type Props = { of: ReturnType<typeof useProjectOf>; label: string }

/** In which project the answers stand; says what to do where none fits. */
export function ProjectChoice({ of: { task, fitting, isLoaded, projectId, choose }, label }: Props) {
  const { t } = useTranslation(['shop', 'tasks'])
  const field = useId()
  if (isLoaded && fitting.length === 0)
    return (
      <Alert
        type="info"
        showIcon
        title={t('drive.noProject', { task: t(`tasks:name.${task}`) })}
        action={<Link to="/projectHome">{t('drive.toProjects')}</Link>}
      />
    )
  return (
    <div className={styles.field}>
      <label htmlFor={field}>{label}</label>
      <Select
        id={field}
        showSearch={{ optionFilterProp: 'label' }}
        value={projectId}
        options={fitting.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={choose}
      />
    </div>
  )
}
