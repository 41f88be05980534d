import { roles } from '@neuroloom/contract/accounts/roles'
import { isLearned } from '@neuroloom/contract/task'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePublicSetting } from '../features/accounts/entrance/public-setting.ts'
import { StorageBar } from '../features/files/storage-bar.tsx'
import { HomeLinks } from '../features/site/home-links.tsx'
import { hasCommunity } from '../features/social/community.ts'
import { formatDate, formatNumber } from '../lib/format.ts'
import { leftAt } from '../lib/last-tab.ts'
import { useCall } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader, Panel } from '../ui/page.tsx'
import { Cover } from '../ui/pictures/cover.tsx'
import {
  AdminIcon,
  CloudIcon,
  NetworkIcon,
  ProjectIcon,
  RunIcon,
  SocialIcon,
} from '../ui/pictures/pictograms.tsx'
import styles from './manage-home.module.css'
import { ContinueLink } from './manage-home-continue.tsx'
import { LatestRuns } from './manage-home-runs.tsx'

/** The start after sign-in: the ways in, and where one left off. */
export function ManageHome() {
  const { t } = useTranslation(['workspace', 'common', 'site', 'projects'])
  const user = useUser()
  const setting = usePublicSetting()
  const greeting = t(`greeting.${partOfDay(new Date())}`, { name: user?.nickName ?? '' })
  return (
    <Page>
      <PageHeader title={greeting} subtitle={t('greeting.text')} name={t('common:home')} />
      <ContinueLink />
      <nav className={styles.tiles} aria-label={t('tiles.name')}>
        <Tile name="project" to={leftAt('/projectHome')} icon={<ProjectIcon />} />
        <Tile name="cloud" to={leftAt('/cloudHome')} icon={<CloudIcon />} />
        <Tile name="ai" to="/run" icon={<RunIcon />} />
        <Tile name="dripe" to="/dripe" icon={<NetworkIcon />} />
        {user && setting && hasCommunity(user.role, setting) && (
          <Tile name="social" to={leftAt('/socialHome')} icon={<SocialIcon />} />
        )}
        {user?.role === roles.administrator && (
          <Tile name="admin" to={leftAt('/admin')} icon={<AdminIcon />} />
        )}
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
      <HomeLinks className={styles.links} setting={setting} />
    </Page>
  )
}

type TileProps = {
  name: 'project' | 'cloud' | 'ai' | 'dripe' | 'social' | 'admin'
  to: string
  icon: ReactNode
}

function Tile({ name, to, icon }: TileProps) {
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

const shown = 4

function LatestProjects() {
  const { t } = useTranslation('workspace')
  const { data, error, refetch } = useCall('projects/list', {}, { quiet: true })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading count={2} />
  if (data.projects.length === 0) return <p className={styles.none}>{t('recent.noProjects')}</p>
  return (
    <ul className={styles.list}>
      {data.projects.slice(0, shown).map(({ id, name, task, counts, modifiedAt }) => (
        <li key={id}>
          <Link to={`/projectDetail?id=${id}`} className={styles.row}>
            <Cover url={data.covers[id]?.[0]} />
            <span className={styles.what}>
              <span className={styles.name}>{name}</span>
              <span className={styles.note}>
                {isLearned(task) &&
                  `${t('recent.images', { count: counts.files, shown: formatNumber(counts.files) })} · `}
                {formatDate(modifiedAt, 'relative')}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
