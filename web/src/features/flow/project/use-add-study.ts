import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'

/** Takes an own study into a project. */
export function useAddStudy() {
  const { t } = useTranslation('flow-project')
  return useAction('flow/addToProject', {
    refresh: ['flow/projectStudies', 'projects/detail', 'projects/list'],
    onDone: () => toast.success(t('studies.added')),
  })
}
