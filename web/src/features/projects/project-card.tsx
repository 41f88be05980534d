import type { Answer } from '@neuroloom/contract/calls'
import type { Project } from '@neuroloom/contract/projects'
import { isLearned } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { formatScore } from '../../lib/metric.ts'
import card from '../../ui/card.module.css'
import styles from './project-card.module.css'
import { ProjectMarks } from './project-marks.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { TaskPicture } from './task-picture.tsx'

type Covers = Answer<'projects/list'>['covers']

/** Projects as cards, each with a few of its images. */
export function ProjectList({ projects, covers }: { projects: readonly Project[]; covers: Covers }) {
  return (
    <ul className={`${card.grid} ${styles.grid}`}>
      {projects.map((project) => (
        <ProjectCard key={project.id} project={project} cover={covers[project.id] ?? []} />
      ))}
    </ul>
  )
}

/** One project at a glance; the whole card leads into it. */
function ProjectCard({ project, cover }: { project: Project; cover: readonly string[] }) {
  const { t } = useTranslation(['projects', 'tasks'])
  const { counts } = project
  return (
    <li className={card.card}>
      <Cover urls={cover} />
      <div className={card.head}>
        <TaskPicture task={project.task} />
        <div className={card.names}>
          <Link
            className={`${card.link} ${card.target}`}
            to={`/projectDetail?id=${encodeURIComponent(project.id)}`}
          >
            {project.name}
          </Link>
          <span>{t(`tasks:name.${project.task}`)}</span>
        </div>
        <div className={card.menu}>
          <ProjectMenu project={project} />
        </div>
      </div>
      <div className={styles.marks}>
        <ProjectMarks project={project} />
      </div>
      {project.description && <p className={styles.description}>{project.description}</p>}
      <LastRun project={project} />
      <div className={card.foot}>
        {isLearned(project.task) && (
          <span>
            {counts.files === 0
              ? t('noData')
              : t('fileCount', { count: counts.files, shown: formatNumber(counts.files) })}
          </span>
        )}
        {counts.runs > 0 && (
          <span>{t('runCount', { count: counts.runs, shown: formatNumber(counts.runs) })}</span>
        )}
        <time dateTime={project.modifiedAt}>{formatDate(project.modifiedAt, 'relative')}</time>
      </div>
    </li>
  )
}

/** What the data look like; the card's name says it for whoever does not see it. */
function Cover({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return null
  return (
    <div className={styles.cover} aria-hidden="true">
      {urls.map((url) => (
        <img key={url} src={url} alt="" loading="lazy" decoding="async" />
      ))}
    </div>
  )
}

/** Where the newest training stands: its state in words, and how good it became. */
export function LastRun({ project }: { project: Project }) {
  const { t } = useTranslation('projects')
  const { lastRun, task } = project
  if (!lastRun) return <p className={styles.run}>{t(nextStepOf(project))}</p>
  const { state, score } = lastRun
  return (
    <p className={styles.run}>
      <span className={styles.dot} data-state={state} />
      {t(`run.${state}`, { defaultValue: '' })}
      {score !== null && isLearned(task) && (
        <span className={styles.score}>
          {t(`score.${task}`)} <strong>{formatScore(task, score)}</strong>
        </span>
      )}
    </p>
  )
}

function nextStepOf({ access, counts, task }: Project) {
  if (access === 'view') return isLearned(task) ? 'next.none' : 'next.noRun'
  if (!isLearned(task)) return 'next.flow'
  if (counts.trainSets + counts.testSets === 0) return 'next.data'
  // Images count once they have been looked at and found usable.
  return counts.files === 0 ? 'next.check' : 'next.train'
}
