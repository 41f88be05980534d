import { FolderOpenOutlined } from '@ant-design/icons'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { FolderBrowser } from '../../features/files/folder/folder-browser.tsx'
import { FolderCrumbs } from '../../features/files/folder/folder-crumbs.tsx'
import { NewFolderButton } from '../../features/files/folder/new-folder-button.tsx'
import { useFolderPage } from '../../features/files/folder/use-folder-page.ts'
import { PageButtons } from '../../features/files/page-buttons.tsx'
import { DropZone } from '../../features/files/upload/drop-zone.tsx'
import { UploadButton } from '../../features/files/upload/upload-button.tsx'
import { useFilesNews } from '../../features/files/use-files-news.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

const FileView = lazyPart(async () => (await import('../../features/files/viewer/file-view.tsx')).FileView)

/** One folder of the cloud storage: its folders and files. */
export function CloudFile() {
  const [params] = useSearchParams()
  const [id, file] = [params.get('id'), params.get('file')]
  if (id) return <Folder key={id} id={id} />
  return file ? <FilePlace key={file} id={file} /> : <Navigate to="/cloudHome" replace />
}

/** A file's own address leads to where it lies; one that was shared by itself is shown by itself. */
function FilePlace({ id }: { id: string }) {
  const { t } = useTranslation('files')
  const [params] = useSearchParams()
  const [view, beside] = [params.get('view'), params.get('beside')]
  const query = useCall('files/properties', { id }, { quiet: true })
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError)
    return (
      <Page>
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      </Page>
    )
  const { entry, path, place } = query.data
  const folder = entry.kind === 'folder' ? id : path.at(-1)?.id
  const address = new URLSearchParams({
    ...(folder ? { id: folder } : {}),
    ...(folder === id ? {} : { file: id }),
    ...(view ? { view } : {}),
    ...(beside ? { beside } : {}),
  })
  if (folder || place.kind === 'own')
    return <Navigate to={`${folder ? '/cloudFile' : '/cloudHome'}?${address}`} replace />
  return (
    <Page>
      <PageHeader title={entry.name} subtitle={t('ofOwner', { name: place.owner })} name={entry.name} />
      <Suspense fallback={<Loading shape="rows" count={4} />}>
        <FileView entry={entry} />
      </Suspense>
    </Page>
  )
}

function Folder({ id }: { id: string }) {
  const { t } = useTranslation('files')
  const page = useFolderPage(id)
  useFilesNews()
  const name = page.folder?.name ?? ''
  const isChangeable = page.access !== 'view'
  const uploadFolder = <UploadButton parentId={id} kind="folder" label={t('uploadFolder')} />
  const uploadFiles = <UploadButton parentId={id} kind="files" type="primary" label={t('uploadFiles')} />
  return (
    <Page>
      <FolderCrumbs path={page.path} place={page.place} />
      <PageHeader
        title={name || '\u00a0'}
        subtitle={page.place?.owner ? t('ofOwner', { name: page.place.owner }) : ''}
        name={name || t('title')}
        actions={
          isChangeable && (
            <PageButtons>
              <NewFolderButton parentId={id} />
              {page.isEmpty || uploadFolder}
              {page.isEmpty || uploadFiles}
            </PageButtons>
          )
        }
      />
      <DropZone parentId={id} place={name} disabled={!isChangeable}>
        <FolderBrowser
          page={page}
          empty={
            <EmptyState
              icon={<FolderOpenOutlined aria-hidden />}
              title={t('emptyFolder.title')}
              text={t(isChangeable ? 'emptyFolder.text' : 'emptyFolder.viewText')}
              action={
                isChangeable && (
                  <>
                    {uploadFolder}
                    {uploadFiles}
                  </>
                )
              }
            />
          }
        />
      </DropZone>
    </Page>
  )
}
