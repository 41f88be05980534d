import { Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import type { FilterChoices, RunFilter, RunGroup } from './run-filter.ts'
import styles from './run-list.module.css'

type Props = {
  choices: FilterChoices
  /** Null while it is not known. */
  projectName: (projectId: string) => string | null
  filter: RunFilter
  onFilter: (filter: RunFilter) => void
}

/** By kind and by project, each only where there is something to choose. */
export function RunFilters({ choices, projectName, filter, onFilter }: Props) {
  const { t } = useTranslation('runs')
  const { groups, projectIds } = choices
  const kinds = ['all', ...groups] as const
  const projects = projectIds.flatMap((id) => {
    const name = projectName(id)
    return name === null ? [] : [{ value: id, label: name }]
  })
  return (
    <>
      {groups.length > 1 ? (
        <Segmented<RunGroup | 'all'>
          aria-label={t('list.filter.kind')}
          className={styles.kinds ?? ''}
          value={filter.group ?? 'all'}
          onChange={(group) => onFilter({ ...filter, group: group === 'all' ? null : group })}
          options={kinds.map((value) => ({ value, label: t(`list.filter.${value}`) }))}
        />
      ) : null}
      {projects.length > 1 ? (
        <Select<string>
          aria-label={t('list.filter.project')}
          className={styles.projects ?? ''}
          value={filter.projectId ?? ''}
          onChange={(id) => onFilter({ ...filter, projectId: id === '' ? null : id })}
          options={[{ value: '', label: t('list.filter.allProjects') }, ...projects]}
        />
      ) : null}
    </>
  )
}
