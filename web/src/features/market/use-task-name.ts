import type { WorkTask } from '@neuroloom/contract/market/demand'
import { useTranslation } from 'react-i18next'

/** Names of tasks of the platform, and of what is none of them. */
export function useTaskName(): (task: WorkTask) => string {
  const { t } = useTranslation(['market', 'tasks'])
  return (task) => (task === 'other' ? t('otherTask') : t(`tasks:name.${task}`))
}
