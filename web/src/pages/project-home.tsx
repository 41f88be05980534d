import { ExperimentOutlined, PlusOutlined, SearchOutlined } from '@ant-design/icons'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewProjectDialog } from '../features/projects/new-project-dialog.tsx'
import { ProjectList } from '../features/projects/project-list.tsx'
import { useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import styles from './project-home.module.css'

/** Fewer projects are found faster by eye than by typing. */
const searchFrom = 5

/** The member's projects and the way to a new one. */
export function ProjectHome() {
  const { t } = useTranslation('projects')
  const [isCreating, setIsCreating] = useState(false)
  const { data, error, refetch } = useCall('projects/list', {}, { quiet: true })
  const projects = data?.projects ?? []
  const limit = data?.limit ?? null
  const isFull = limit !== null && projects.length >= limit
  const create = (
    <Button
      type="primary"
      icon={<PlusOutlined aria-hidden />}
      disabled={isFull}
      onClick={() => setIsCreating(true)}
    >
      {t('new')}
    </Button>
  )
  return (
    <Page>
      <PageHeader
        title={t('title')}
        subtitle={data && limit !== null && t('limit.used', { count: limit, used: projects.length })}
        actions={projects.length > 0 && create}
      />
      {isFull && (
        <Alert
          className={styles.limit ?? ''}
          type="info"
          showIcon
          title={t('limit.reached')}
          description={t('limit.remedy')}
        />
      )}
      {!data && !error && <Loading shape="cards" count={3} />}
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && projects.length === 0 && (
        <EmptyState
          icon={<ExperimentOutlined aria-hidden />}
          title={t('empty.title')}
          text={t('empty.text')}
          action={create}
        />
      )}
      {projects.length > 0 && <SearchableList projects={projects} />}
      <NewProjectDialog open={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  )
}

function SearchableList({ projects }: Parameters<typeof ProjectList>[0]) {
  const { t } = useTranslation('projects')
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLocaleLowerCase()
  const found = projects.filter(({ name, description }) =>
    `${name} ${description}`.toLocaleLowerCase().includes(wanted),
  )
  return (
    <>
      {(projects.length >= searchFrom || search !== '') && (
        <div className={styles.search}>
          <Input
            allowClear
            prefix={<SearchOutlined aria-hidden />}
            placeholder={t('search')}
            aria-label={t('search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      )}
      {found.length > 0 ? (
        <ProjectList projects={found} />
      ) : (
        <EmptyState
          title={t('nothingFound', { text: search })}
          action={<Button onClick={() => setSearch('')}>{t('clearSearch')}</Button>}
        />
      )}
    </>
  )
}
