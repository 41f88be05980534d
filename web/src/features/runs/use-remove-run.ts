import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'

/** Where a run is missing, or is again, once it was deleted or brought back. */
export const movedRuns = [
  ...(['runs/list', 'runs/recycled', 'runs/detail'] as const),
  ...(['projects/detail', 'projects/list', 'plans/shared'] as const),
]

/** Moves a run to the recycle station; whoever did so by mistake takes it back at once. */
export function useRemoveRun() {
  const { t } = useTranslation('runs')
  const restore = useAction('runs/restore', {
    refresh: movedRuns,
    onDone: ({ kind, number }) => toast.success(t('list.restored', { name: t(`list.${kind}`, { number }) })),
  })
  return useAction('runs/remove', {
    refresh: movedRuns,
    onDone: ({ recycleDays }, { id }) =>
      toast.success(t('list.removed', { count: recycleDays }), {
        action: { label: t('list.undo'), onClick: () => restore.mutate({ id }) },
      }),
  })
}
