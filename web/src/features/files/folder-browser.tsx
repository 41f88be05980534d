import type { Entry } from '@neuroloom/contract/files'
import { Button } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { FolderGallery } from './folder-gallery.tsx'
import { FolderTable } from './folder-table.tsx'
import { FolderToolbar, storedLook } from './folder-toolbar.tsx'
import styles from './folder-view.module.css'
import { PreviewDialog } from './preview-dialog.tsx'
import { type FileActions, useFileActions } from './use-file-actions.ts'
import type { FolderPage } from './use-folder-page.ts'

/** What a table row or a gallery tile needs besides its entry. */
export type ViewProps = {
  entries: Entry[]
  selected: string[]
  renaming: string | null
  actions: FileActions
  onSelect: (ids: string[]) => void
  onRename: (id: string | null) => void
  onPreview: (id: string) => void
}

/** A folder to work in: search, select, rename, delete, look at pictures. `empty` is shown where there is nothing yet. */
export function FolderBrowser({ page, empty }: { page: FolderPage; empty: ReactNode }) {
  const { query, entries } = page
  const [look, setLook] = useState(storedLook)
  const [chosen, setSelected] = useState<string[]>([])
  const [renaming, setRenaming] = useState<string | null>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const actions = useFileActions()
  // What is gone can no longer be selected.
  const selected = chosen.filter((id) => entries.some((entry) => entry.id === id))

  if (query.isPending) return <Loading shape="rows" count={5} />
  if (query.isError && entries.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (page.isEmpty) return empty

  const view = { entries, selected, renaming, actions }
  const handlers = { onSelect: setSelected, onRename: setRenaming, onPreview: setPreview }
  return (
    <>
      <FolderToolbar
        page={page}
        look={look}
        onLook={setLook}
        selected={selected}
        onSelect={setSelected}
        actions={actions}
      />
      {entries.length === 0 && <NothingFound page={page} />}
      {entries.length > 0 && look === 'table' && <FolderTable {...view} {...handlers} />}
      {entries.length > 0 && look === 'gallery' && <FolderGallery {...view} {...handlers} />}
      <More page={page} />
      <PreviewDialog
        entries={entries}
        id={preview}
        onMove={setPreview}
        onClose={() => setPreview(null)}
        onDownload={actions.download}
      />
    </>
  )
}

function NothingFound({ page }: { page: FolderPage }) {
  const { t } = useTranslation('files')
  return (
    <EmptyState
      title={t('nothingFound', { text: page.search })}
      text={t('nothingFoundText')}
      action={<Button onClick={() => page.setSearch('')}>{t('clearSearch')}</Button>}
    />
  )
}

/** Loads the next page as soon as the end comes near; the button does the same by hand. */
function More({ page }: { page: FolderPage }) {
  const { t } = useTranslation('files')
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = page.query
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchingNextPage) return
    const watcher = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) void fetchNextPage()
      },
      { rootMargin: '600px' },
    )
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (!hasNextPage) return null
  return (
    <div ref={end} className={styles.more}>
      <Button loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {t('more')}
      </Button>
    </div>
  )
}
