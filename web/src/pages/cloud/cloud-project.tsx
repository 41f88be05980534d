import { useTranslation } from 'react-i18next'
import { ProjectDataList } from '../../features/datasets/project-data.tsx'
import { CloudTabs } from '../../features/files/cloud-tabs.tsx'
import { StorageBar } from '../../features/files/storage-bar.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

/** Of the cloud storage, the data that projects use. */
export function CloudProject() {
  const { t } = useTranslation('files')
  return (
    <Page>
      <PageHeader
        title={t('title')}
        name={`${t('tabs.projects')} · ${t('title')}`}
        subtitle={<StorageBar />}
      />
      <CloudTabs current="projects" />
      <ProjectDataList />
    </Page>
  )
}
