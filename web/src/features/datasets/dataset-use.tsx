import type { Dataset, DatasetUse as Use } from '@neuroloom/contract/datasets'
import type { Project } from '@neuroloom/contract/projects'
import type { Task } from '@neuroloom/contract/task'
import { Segmented, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'

/** That it is shown in. */
export type ProjectOfSet = Pick<Project, 'id' | 'access'> & { task: Task }

/** Whether a project learns from a data set or keeps it for testing. */
export function DatasetUse({ dataset, project }: { dataset: Dataset; project: ProjectOfSet }) {
  const { t } = useTranslation('datasets')
  const set = useAction('datasets/setUse', {
    refresh: ['datasets/list', 'datasets/shared', 'projects/detail', 'projects/list'],
  })
  if (project.access === 'view') return <Tag color="blue">{t(`use.${dataset.use}`)}</Tag>
  return (
    <Segmented<Use>
      size="small"
      aria-label={t('useOf', { name: dataset.name })}
      value={set.isPending ? set.variables.use : dataset.use}
      onChange={(use) => set.mutate({ id: dataset.id, projectId: project.id, use })}
      options={[
        { value: 'train', label: t('use.train') },
        { value: 'test', label: t('use.test') },
      ]}
    />
  )
}
