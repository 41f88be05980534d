import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'

const refresh = ['projects/list', 'runs/list'] as const

/** Deletes a project and offers the way back at once. */
export function useRemoveProject() {
  const { t } = useTranslation('projects')
  const restore = useAction('projects/restore', {
    refresh,
    onDone: ({ name }) => toast.success(t('restored', { name })),
  })
  return useAction('projects/remove', {
    refresh,
    onDone: ({ recycleDays }, { id }) =>
      toast.success(t('removed', { count: recycleDays }), {
        action: { label: t('undo'), onClick: () => restore.mutate({ id }) },
      }),
  })
}
