import type { Project } from '@neuroloom/contract/projects'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LastRun } from '../features/projects/project-card.tsx'
import { useCall } from '../lib/query.ts'
import { Cover } from '../ui/pictures/cover.tsx'
import styles from './manage-home.module.css'

/** The way back into the project that was last worked on. The panels below ask for the same two lists. */
export function ContinueLink() {
  const { t } = useTranslation('workspace')
  const list = useCall('projects/list', {}, { quiet: true })
  const runs = useCall('runs/list', { projectId: null }, { quiet: true })
  // Its line is kept free, and there is always something in it: the tiles below never move under the pointer.
  if (list.isPending || runs.isPending) return <div className={styles.continue} aria-hidden="true" />
  const project = lastActive(list.data?.projects ?? [], runs.data?.runs ?? [])
  if (!project)
    return (
      <Link to="/projectHome?new" className={styles.continue}>
        <span className={`${styles.name} ${styles.going}`}>{t('recent.first')}</span>
      </Link>
    )
  const covers = list.data?.covers[project.id] ?? []
  return (
    <Link to={`/projectDetail?id=${encodeURIComponent(project.id)}`} className={styles.continue}>
      {covers.length > 0 && (
        <span className={styles.covers}>
          {covers.map((url) => (
            <Cover key={url} url={url} />
          ))}
        </span>
      )}
      <span className={`${styles.name} ${styles.going}`}>{t('recent.continue', { name: project.name })}</span>
      <LastRun project={project} />
    </Link>
  )
}

/** A run does not change when its project was modified, so that both times count. */
function lastActive(projects: readonly Project[], runs: readonly Run[]): Project | undefined {
  const newestRun = new Map<string, string>()
  // The newest run comes first.
  for (const { projectId, createdAt } of runs.toReversed()) newestRun.set(projectId, createdAt)
  // ISO times: text order is time order.
  const activeAt = ({ id, modifiedAt }: Project) => {
    const runAt = newestRun.get(id) ?? ''
    return runAt > modifiedAt ? runAt : modifiedAt
  }
  return projects.toSorted((one, other) => activeAt(other).localeCompare(activeAt(one)))[0]
}
