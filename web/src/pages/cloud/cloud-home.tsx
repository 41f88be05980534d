import { CloudUploadOutlined } from '@ant-design/icons'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type CloudTab, CloudTabs, readTab } from '../../features/files/cloud-tabs.tsx'
import { FolderBrowser } from '../../features/files/folder/folder-browser.tsx'
import { NewFolderButton } from '../../features/files/folder/new-folder-button.tsx'
import { type FolderPage, useFolderPage } from '../../features/files/folder/use-folder-page.ts'
import { PageButtons } from '../../features/files/page-buttons.tsx'
import { StorageBar } from '../../features/files/storage-bar.tsx'
import { DropZone } from '../../features/files/upload/drop-zone.tsx'
import { UploadButton } from '../../features/files/upload/upload-button.tsx'
import { useFilesNews } from '../../features/files/use-files-news.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { UsedLimit } from '../../ui/limits/used-limit.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

const parts: Record<Exclude<CloudTab, 'own'>, React.ComponentType> = {
  public: lazyPart(async () => (await import('../../features/files/public-tab.tsx')).PublicTab),
  shared: lazyPart(async () => (await import('../../features/files/sharing/shared-tab.tsx')).SharedTab),
  groups: lazyPart(async () => (await import('../../features/files/sharing/groups-tab.tsx')).GroupsTab),
  recycle: lazyPart(async () => (await import('../../features/files/recycle-tab.tsx')).RecycleTab),
  records: lazyPart(async () => (await import('../../features/files/records-tab.tsx')).RecordsTab),
  conversions: lazyPart(
    async () => (await import('../../features/files/convert/conversions-tab.tsx')).ConversionsTab,
  ),
}

/** The member's cloud storage: own folders at the top, and around them what is public, removed, and was done. */
export function CloudHome() {
  const { t } = useTranslation('files')
  const [params] = useSearchParams()
  // A group's number leads to the groups, whoever sent it.
  const tab = params.has('nbr') ? 'groups' : readTab(params.get('tab'))
  const page = useFolderPage(null)
  useFilesNews()
  const isOwn = tab === 'own'
  const upload = (
    <>
      <UploadButton parentId={null} kind="files" label={t('uploadFiles')} />
      <UploadButton parentId={null} kind="folder" type="primary" label={t('uploadFolder')} />
    </>
  )
  const Part = isOwn ? null : parts[tab]
  return (
    <Page>
      <PageHeader
        title={t('title')}
        name={isOwn ? t('title') : `${t(`tabs.${tab}`)} · ${t('title')}`}
        subtitle={
          <>
            <StorageBar />
            {isOwn && <UsedLimit name="topFolders" />}
          </>
        }
        actions={
          isOwn && (
            <PageButtons>
              <NewFolderButton parentId={null} />
              {page.isEmpty || upload}
            </PageButtons>
          )
        }
      />
      <CloudTabs current={tab} />
      {Part ? (
        <Suspense fallback={<Loading shape="rows" count={4} />}>
          <Part />
        </Suspense>
      ) : (
        <Own page={page} upload={upload} />
      )}
    </Page>
  )
}

function Own({ page, upload }: { page: FolderPage; upload: React.ReactNode }) {
  const { t } = useTranslation('files')
  return (
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
  )
}
