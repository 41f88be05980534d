import {
  ExperimentOutlined,
  PlusOutlined,
  RestOutlined,
  SearchOutlined,
  ShopOutlined,
} from '@ant-design/icons'
import type { Project, ProjectTab } from '@neuroloom/contract/projects'
import { Alert, Button, Input } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { NewProjectDialog } from '../features/projects/new-project-dialog.tsx'
import { ProjectList } from '../features/projects/project-card.tsx'
import { ProjectTabs, readProjectTab } from '../features/projects/project-tabs.tsx'
import { SampleButton } from '../features/projects/sample-button.tsx'
import { useLive } from '../lib/live.ts'
import { useCall, usePages } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useTyped } from '../ui/hooks/use-typed.ts'
import { LimitMeter } from '../ui/limits/limit-meter.tsx'
import { UpgradeLink } from '../ui/limits/upgrade-link.tsx'
import { Loading } from '../ui/loading.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { NewProjectData } from './new-project-data.tsx'
import styles from './project-home.module.css'

/** Fewer projects are found faster by eye than by typing. */
const searchFrom = 5

/** The projects that one may open, and the way to a new one. */
export function ProjectHome() {
  const { t } = useTranslation('projects')
  const [params] = useSearchParams()
  const tab = readProjectTab(params.get('tab'))
  const [isCreating, setIsCreating] = useCreating()
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['projects/list'] })
  const all = usePages('projects/list', { tab: 'all', search: '' })
  const first = all.data?.pages[0]
  const limit = first?.limit ?? null
  const own = first?.own ?? 0
  const isFull = limit !== null && own >= limit
  const taken = all.data?.pages.flatMap(({ projects }) => projects).filter(isOwn) ?? []
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
        name={tab === 'all' ? t('title') : `${t(`tabs.${tab}`)} · ${t('title')}`}
        subtitle={
          limit !== null && (
            <LimitMeter label={t('limit.used', { count: limit, used: own })} used={own} limit={limit} />
          )
        }
        actions={
          <>
            <ShopLink />
            <Link to="/projectRubbish">
              <RestOutlined aria-hidden /> {t('rubbish.title')}
            </Link>
            {first && (first.projects.length > 0 || tab !== 'all') && create}
          </>
        }
      />
      {isFull && (
        <Alert
          className={styles.limit ?? ''}
          type="info"
          showIcon
          title={t('limit.reached')}
          description={
            <>
              {t('limit.remedy')} <UpgradeLink />
            </>
          }
        />
      )}
      <ProjectTabs current={tab} />
      <TabContent
        key={tab}
        tab={tab}
        first={
          <div className={styles.first}>
            {create}
            <SampleButton disabled={isFull} />
          </div>
        }
      />
      <NewProjectDialog
        open={isCreating && !isFull}
        taken={taken.map(({ name }) => name)}
        data={(project) => <NewProjectData project={project} />}
        onClose={() => setIsCreating(false)}
      />
    </Page>
  )
}

/** Whether the dialog for a new project is open. The address `?new` opens it, and loses the word: going back does not open it again. */
function useCreating() {
  const [params, setParams] = useSearchParams()
  const [isCreating, setIsCreating] = useState(false)
  const isAsked = params.has('new')
  useEffect(() => {
    if (!isAsked) return
    setIsCreating(true)
    setParams(
      (before) => {
        before.delete('new')
        return before
      },
      { replace: true },
    )
  }, [isAsked, setParams])
  return [isCreating, setIsCreating] as const
}

const isOwn = ({ access }: Project) => access === 'own'

/** `first`: how to begin. */
function TabContent({ tab, first }: { tab: ProjectTab; first: ReactNode }) {
  const { t } = useTranslation('projects')
  const search = useTyped()
  const query = usePages('projects/list', { tab, search: search.settled })
  const projects = query.data?.pages.flatMap((page) => page.projects) ?? []
  const covers = Object.fromEntries(query.data?.pages.flatMap((page) => Object.entries(page.covers)) ?? [])
  if (query.isPending) return <Loading shape="cards" count={3} />
  if (query.isError && projects.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const isSearching = search.text !== '' || search.settled !== ''
  if (projects.length === 0 && !isSearching)
    return (
      <EmptyState
        icon={<ExperimentOutlined aria-hidden />}
        title={t(`empty.${tab}.title`)}
        text={t(`empty.${tab}.text`)}
        {...(tab === 'all' ? { action: first } : {})}
      />
    )
  return (
    <>
      {(projects.length >= searchFrom || isSearching) && (
        <div className={styles.search}>
          <Input
            allowClear
            prefix={<SearchOutlined aria-hidden />}
            placeholder={t('search')}
            aria-label={t('search')}
            maxLength={200}
            value={search.text}
            onChange={(event) => search.setText(event.target.value)}
          />
        </div>
      )}
      {projects.length > 0 ? (
        <ProjectList projects={projects} covers={covers} />
      ) : (
        <EmptyState
          title={t('nothingFound', { text: search.text })}
          action={<Button onClick={() => search.setText('')}>{t('clearSearch')}</Button>}
        />
      )}
      <MoreButton query={query} />
    </>
  )
}

/** Where models are sold, which a hospital's own server does not, and work on order, as long as either is switched on. */
function ShopLink() {
  const { t } = useTranslation('projects')
  const { data } = useCall('setting/public', {}, { quiet: true })
  if (!data || data.host < 0 || (data.off.includes('shop') && data.off.includes('market'))) return null
  return (
    <Link to="/shopHome">
      <ShopOutlined aria-hidden /> {t('shop')}
    </Link>
  )
}
