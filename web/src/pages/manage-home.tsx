import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { StorageBar } from '../features/files/storage-bar.tsx'
import { useUser } from '../lib/session.ts'
import { Page, PageHeader, Panel } from '../ui/page.tsx'
import { CloudIcon, ProjectIcon, RunIcon } from '../ui/pictograms.tsx'
import styles from './manage-home.module.css'
import { LatestProjects } from './manage-home-projects.tsx'
import { LatestRuns } from './manage-home-runs.tsx'

/** The start after sign-in: the ways in, and where one left off. */
export function ManageHome() {
  const { t } = useTranslation(['workspace', 'common'])
  const user = useUser()
  const greeting = t(`greeting.${partOfDay(new Date())}`, { name: user?.nickName ?? '' })
  return (
    <Page>
      <PageHeader title={greeting} subtitle={t('greeting.text')} name={t('common:home')} />
      <nav className={styles.tiles} aria-label={t('tiles.name')}>
        <Tile name="project" to="/projectHome" icon={<ProjectIcon />} />
        <Tile name="cloud" to="/cloudHome" icon={<CloudIcon />} />
        <Tile name="ai" to="/run" icon={<RunIcon />} />
      </nav>
      <div className={styles.columns}>
        <Panel title={t('recent.runs')} extra={<Link to="/run">{t('recent.allRuns')}</Link>}>
          <LatestRuns />
        </Panel>
        <div className={styles.aside}>
          <Panel
            title={t('recent.projects')}
            extra={<Link to="/projectHome">{t('recent.allProjects')}</Link>}
          >
            <LatestProjects />
          </Panel>
          <Panel title={t('storage')}>
            <StorageBar />
          </Panel>
        </div>
      </div>
    </Page>
  )
}

function Tile({ name, to, icon }: { name: 'project' | 'cloud' | 'ai'; to: string; icon: ReactNode }) {
  const { t } = useTranslation('workspace')
  return (
    <Link to={to} className={`${styles.tile} ${styles[name]}`}>
      <span className={styles.icon}>{icon}</span>
      <span>
        <strong>{t(`tiles.${name}.title`)}</strong>
        <span className={styles.about}>{t(`tiles.${name}.text`)}</span>
      </span>
    </Link>
  )
}

function partOfDay(now: Date): 'morning' | 'day' | 'evening' {
  const hour = now.getHours()
  if (hour >= 4 && hour < 12) return 'morning'
  return hour >= 12 && hour < 18 ? 'day' : 'evening'
}
