import type { Project } from '@neuroloom/contract/projects'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'

const gone = ['projects/list', 'projects/recycled', 'runs/list', 'runs/recycled', 'plans/shared'] as const
const changed = ['projects/list', 'projects/detail', 'plans/shared'] as const

/** What is done to a project without a form; `onGone` hears that one no longer has it. */
export function useProjectActions({ id, shareId }: Project, onGone?: () => void) {
  const { t } = useTranslation('projects')
  const restore = useAction('projects/restore', {
    refresh: gone,
    onDone: ({ name }) => toast.success(t('restored', { name })),
  })
  const remove = useAction('projects/remove', {
    refresh: gone,
    onDone: ({ recycleDays }) => {
      toast.success(t('removed', { count: recycleDays }), {
        action: { label: t('undo'), onClick: () => restore.mutate({ id }) },
      })
      onGone?.()
    },
  })
  const setPublic = useAction('projects/setPublic', {
    refresh: changed,
    onDone: (_, { isPublic }) => toast.success(t(isPublic ? 'published' : 'unpublished')),
  })
  const leave = useAction('projects/leaveShare', {
    refresh: gone,
    onDone: () => {
      toast.success(t('left'))
      onGone?.()
    },
  })
  return {
    remove: () => remove.mutateAsync({ id }),
    setPublic: (isPublic: boolean) => setPublic.mutateAsync({ id, isPublic }),
    leave: async () => {
      if (shareId !== null) await leave.mutateAsync({ shareId })
    },
  }
}
