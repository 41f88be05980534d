import type { Entry } from '@neuroloom/contract/files'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { filesOf } from './series-files.ts'

const refresh = ['files/list', 'user/size'] as const

/** Rename, delete with a way back, and download. Failures are told by the calls themselves. */
export function useFileActions() {
  const { t } = useTranslation('files')
  const restore = useAction('files/restore', {
    refresh,
    onDone: ({ restored }) => toast.success(t('restored', { count: restored })),
  })
  const remove = useAction('files/remove', {
    refresh,
    onDone: ({ removed, recycleDays }, { ids }) =>
      toast.success(`${t('removed', { count: removed })} ${t('removedDays', { count: recycleDays })}`, {
        action: { label: t('undo'), onClick: () => restore.mutate({ ids }) },
      }),
  })
  const rename = useAction('files/rename', { refresh: ['files/list'] })
  const publish = useAction('files/publish', {
    refresh: ['files/public', 'files/list'],
    quiet: true,
    onDone: () => toast.success(t('published')),
  })
  return {
    /** Administrators alone; closing it again is done where public data is listed. */
    publish: (id: string, withPatients: boolean) => publish.mutateAsync({ id, isPublic: true, withPatients }),
    isRemoving: remove.isPending,
    remove: async (entries: readonly Entry[]) =>
      remove.mutateAsync({ ids: (await filesOf(entries)).map(({ id }) => id) }),
    rename: (id: string, name: string) => rename.mutateAsync({ id, name }),
    /** Several, or a folder, come as one zip. */
    download: async (entries: readonly Entry[]) =>
      download(await call('files/download', { ids: (await filesOf(entries)).map(({ id }) => id) })),
  }
}

export type FileActions = ReturnType<typeof useFileActions>
