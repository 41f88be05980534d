import { CloudUploadOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { DropZone } from '../features/files/drop-zone.tsx'
import { FolderBrowser } from '../features/files/folder-browser.tsx'
import { NewFolderButton } from '../features/files/new-folder-button.tsx'
import { PageButtons } from '../features/files/page-buttons.tsx'
import { StorageBar } from '../features/files/storage-bar.tsx'
import { UploadButton } from '../features/files/upload-button.tsx'
import { useFolderPage } from '../features/files/use-folder-page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, PageHeader } from '../ui/page.tsx'

/** The member's cloud storage: the folders at the top. */
export function CloudHome() {
  const { t } = useTranslation('files')
  const page = useFolderPage(null)
  const upload = <UploadButton parentId={null} kind="folder" type="primary" label={t('uploadFolder')} />
  return (
    <Page>
      <PageHeader
        title={t('title')}
        name={t('title')}
        subtitle={<StorageBar />}
        actions={
          <PageButtons>
            <NewFolderButton parentId={null} />
            {page.isEmpty || upload}
          </PageButtons>
        }
      />
      <DropZone parentId={null} place={t('title')}>
        <FolderBrowser
          page={page}
          empty={
            <EmptyState
              icon={<CloudUploadOutlined aria-hidden />}
              title={t('empty.title')}
              text={t('empty.text')}
              action={upload}
            />
          }
        />
      </DropZone>
    </Page>
  )
}
