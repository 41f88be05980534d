import { FolderOpenOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { DropZone } from '../features/files/drop-zone.tsx'
import { FolderBrowser } from '../features/files/folder-browser.tsx'
import { FolderCrumbs } from '../features/files/folder-crumbs.tsx'
import { NewFolderButton } from '../features/files/new-folder-button.tsx'
import { PageButtons } from '../features/files/page-buttons.tsx'
import { UploadButton } from '../features/files/upload-button.tsx'
import { useFilesNews } from '../features/files/use-files-news.ts'
import { useFolderPage } from '../features/files/use-folder-page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, PageHeader } from '../ui/page.tsx'

/** One folder of the cloud storage: its folders and files. */
export function CloudFile() {
  const [params] = useSearchParams()
  const id = params.get('id')
  if (!id) return <Navigate to="/cloudHome" replace />
  return <Folder key={id} id={id} />
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
