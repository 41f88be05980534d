import { RestOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/format.ts'
import { useAction, usePages } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import { Loading } from '../../ui/loading.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { RecycleTable } from './recycle-table.tsx'
import { type PurgeAsked, RecycleTools } from './recycle-tools.tsx'

const refresh = ['files/recycled', 'files/list', 'user/size'] as const

/** What was deleted: bring it back, or delete it for good. */
export function RecycleTab() {
  const { t } = useTranslation('files')
  const search = useTyped()
  const query = usePages('files/recycled', { search: search.settled })
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<PurgeAsked | null>(null)
  const actions = useRecycleActions(() => setChosen(new Set()))
  const first = query.data?.pages[0]
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (!first) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (entries.length === 0 && search.text === '')
    return (
      <EmptyState
        icon={<RestOutlined aria-hidden />}
        title={t('recycle.empty')}
        text={t('recycle.emptyText', { count: first.recycleDays })}
      />
    )
  return (
    <>
      <RecycleTools
        station={first}
        search={search}
        selected={entries.filter(({ id }) => chosen.has(id))}
        isRestoring={actions.restore.isPending}
        onRestore={(ids) => actions.restore.mutate({ ids })}
        onPurge={setAsked}
      />
      {entries.length === 0 ? (
        <EmptyState title={t('nothingFound', { text: search.text })} text={t('nothingFoundText')} />
      ) : (
        <RecycleTable entries={entries} chosen={chosen} onChoose={setChosen} />
      )}
      <MoreButton query={query} />
      <ConfirmRemove
        open={asked !== null}
        title={t(asked?.ids ? 'recycle.purgeAsk' : 'recycle.clearAsk', { count: asked?.ids?.length ?? 0 })}
        text={t('recycle.purgeText', { size: formatBytes(asked?.sizeBytes ?? 0) })}
        confirmLabel={t('recycle.purge')}
        onConfirm={() => actions.purge.mutateAsync({ ids: asked?.ids ?? null })}
        onClose={() => setAsked(null)}
      />
    </>
  )
}

function useRecycleActions(onDone: () => void) {
  const { t } = useTranslation('files')
  const restore = useAction('files/restore', {
    refresh,
    onDone: ({ restored }) => {
      toast.success(t('restored', { count: restored }))
      onDone()
    },
  })
  const purge = useAction('files/purge', {
    refresh,
    onDone: ({ freedBytes, keptCount, kept }) => {
      const freed = t('recycle.freed', { size: formatBytes(freedBytes) })
      toast.success(
        keptCount === 0
          ? freed
          : `${freed} ${t('recycle.kept', { count: keptCount, name: kept[0]?.name ?? '' })}`,
      )
      onDone()
    },
  })
  return { restore, purge }
}
