import type { Entry } from '@neuroloom/contract/files'
import { Button } from 'antd'
import { type KeyboardEvent, type ReactNode, Suspense, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, tellFailure } from '../../../lib/api.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { useSeekTexts } from '../burned-in/use-seek-texts.ts'
import { useConversionNews } from '../convert/use-conversion-news.ts'
import { FileWindow } from '../file-window.tsx'
import { withFiles } from '../series-files.ts'
import { usePatientWord } from '../sharing/use-patient-word.tsx'
import { useFileActions } from '../use-file-actions.ts'
import { useFileAddress } from '../use-file-address.ts'
import { useTransfer } from '../use-transfer.ts'
import { WithheldNote } from '../withheld-note.tsx'
import { FolderGallery } from './folder-gallery.tsx'
import { FolderTable } from './folder-table.tsx'
import { FolderToolbar, storedLook } from './folder-toolbar.tsx'
import type { FolderPage } from './use-folder-page.ts'
import { useSelection } from './use-selection.ts'
import type { ViewProps } from './view-props.ts'

const TransferDialog = lazyPart(async () => (await import('../transfer-dialog.tsx')).TransferDialog, {
  over: true,
})
const ShareDialog = lazyPart(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog, {
  over: true,
})
const ConvertDialog = lazyPart(async () => (await import('../convert/convert-dialog.tsx')).ConvertDialog, {
  over: true,
})
const FramesDialog = lazyPart(async () => (await import('../convert/frames-dialog.tsx')).FramesDialog, {
  over: true,
})
const UnpackDialog = lazyPart(async () => (await import('../unpack/unpack-dialog.tsx')).UnpackDialog, {
  over: true,
})
const PropertiesDialog = lazyPart(async () => (await import('../properties-dialog.tsx')).PropertiesDialog, {
  over: true,
})

/**
 * A folder to work in: search, order, select, rename, move, copy, download, delete, look at pictures. `empty` is shown
 * where there is nothing yet.
 */
export function FolderBrowser({ page, empty }: { page: FolderPage; empty: ReactNode }) {
  const { t } = useTranslation('files')
  const { query, entries, access } = page
  const [look, setLook] = useState(storedLook)
  const selection = useSelection(entries)
  const [renaming, setRenaming] = useState<string | null>(null)
  const address = useFileAddress()
  const [sharing, setSharing] = useState<Entry | null>(null)
  const [properties, setProperties] = useState<string | null>(null)
  const [converting, setConverting] = useState<Entry[] | null>(null)
  const [filmed, setFilmed] = useState<Entry | null>(null)
  const [unpacking, setUnpacking] = useState<Entry | null>(null)
  const endUnpacking = useCallback(() => setUnpacking(null), [])
  const actions = useFileActions()
  const word = usePatientWord()
  const transfer = useTransfer({ onDone: selection.clear })
  useConversionNews()
  const texts = useSeekTexts()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  if (query.isPending) return <Loading shape="rows" count={5} />
  // A folder that was removed or withdrawn shows nothing any more; after a lost line the last list stays.
  const isGone = query.error instanceof CallError && query.error.name === 'missing'
  if (query.isError && (isGone || entries.length === 0))
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (page.isEmpty)
    return (
      <>
        <WithheldNote count={page.withheld} />
        {empty}
      </>
    )

  const changing = access !== 'view'
  const view: ViewProps = {
    name: page.folder?.name ?? t('title'),
    entries,
    total: page.total,
    access,
    order: page.order,
    selection,
    renaming,
    actions,
    onOrder: page.setOrder,
    onRename: setRenaming,
    onPreview: address.open,
    onProperties: setProperties,
    onShare: setSharing,
    onTransfer: ({ kind, entries: chosen }) =>
      withFiles(chosen, (files) => transfer.choose({ kind, entries: files })),
    onConvert: (chosen) => withFiles(chosen, setConverting),
    onTexts: (chosen) => withFiles(chosen, texts.seek),
    onFrames: setFilmed,
    onUnpack: setUnpacking,
    onPublish: ({ id }) =>
      void word.give((withPatients) => actions.publish(id, withPatients)).catch(tellFailure),
    onDropInto: changing
      ? (ids, target) =>
          withFiles(
            entries.filter(({ id }) => ids.includes(id)),
            (files) =>
              transfer.dropInto(
                files.map(({ id }) => id),
                target,
              ),
          )
      : undefined,
    onEnd,
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for what the menus offer as well
    <div onKeyDown={(event) => handleShortcut(event, view)}>
      <FolderToolbar page={page} look={look} onLook={setLook} view={view} />
      <WithheldNote count={page.withheld} />
      {entries.length === 0 && <NothingFound page={page} />}
      {entries.length > 0 && look === 'table' && <FolderTable {...view} />}
      {entries.length > 0 && look === 'gallery' && <FolderGallery {...view} />}
      <MoreButton query={query} />
      {word.dialog}
      <Suspense>
        <FileWindow entries={entries} folder={page.folder?.name} address={address} />
        {transfer.chosen && <TransferDialog transfer={transfer} from={changing ? page.folderId : null} />}
        {sharing && <ShareDialog entry={sharing} onClose={() => setSharing(null)} />}
        {converting && (
          <ConvertDialog
            entries={converting}
            onClose={() => setConverting(null)}
            onStarted={selection.clear}
          />
        )}
        {filmed && (
          <FramesDialog
            entry={filmed}
            parentId={changing ? page.folderId : null}
            onClose={() => setFilmed(null)}
          />
        )}
        {unpacking && <UnpackDialog entry={unpacking} onClose={endUnpacking} />}
        {properties !== null && <PropertiesDialog id={properties} onClose={() => setProperties(null)} />}
      </Suspense>
    </div>
  )
}

/** As in other file managers: all, none, delete, rename. */
function handleShortcut(event: KeyboardEvent, { selection, actions, access, onRename }: ViewProps): void {
  const { target, key } = event
  // Typing is typing.
  if (target instanceof HTMLInputElement && target.type !== 'checkbox') return
  const { selected } = selection
  const changing = access !== 'view'
  if ((event.ctrlKey || event.metaKey) && key === 'a') {
    event.preventDefault()
    selection.all()
  } else if (key === 'Escape') selection.clear()
  else if (key === 'Delete' && changing && selected.length > 0)
    // Refusals are told by the call.
    actions.remove(selected).catch(() => {})
  else if (key === 'F2' && changing && selected.length === 1 && !selected[0]?.series)
    onRename(selected[0]?.id ?? null)
}

function NothingFound({ page }: { page: FolderPage }) {
  const { t } = useTranslation('files')
  return (
    <EmptyState
      title={page.search === '' ? t('nothingOfKind') : t('nothingFound', { text: page.search })}
      text={t(page.search === '' ? 'nothingOfKindText' : 'nothingFoundText')}
      action={<Button onClick={page.showAll}>{t('clearSearch')}</Button>}
    />
  )
}
