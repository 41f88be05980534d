import type { Project } from '@neuroloom/contract/projects'
import { isLearned } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import styles from './project-counts.module.css'

const ofLearned = ['files', 'trainSets', 'testSets', 'models', 'displays', 'reports'] as const
const ofFlow = ['studies', 'runs', 'displays'] as const
export type Counted = (typeof ofLearned | typeof ofFlow)[number]

/** What a project holds in one quiet line, each number leading to what it counts; of what is not there nothing is said. */
export function ProjectCounts({
  project,
  studies = 0,
  addressOf,
}: {
  project: Project
  /** Of a project of 4D flow. */
  studies?: number
  addressOf: (counted: Counted) => string
}) {
  const { t } = useTranslation('projects')
  const countOf = (counted: Counted) => (counted === 'studies' ? studies : project.counts[counted])
  const every: readonly Counted[] = isLearned(project.task) ? ofLearned : ofFlow
  const shown = every.filter((counted) => countOf(counted) > 0)
  if (shown.length === 0) return null
  return (
    <ul className={styles.counts} aria-label={t('counts.label')}>
      {shown.map((counted) => {
        const count = countOf(counted)
        return (
          <li key={counted}>
            <Link to={addressOf(counted)} data-count={counted}>
              <strong>{formatNumber(count)}</strong>
              <span>{t(`counts.${counted}`, { count })}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
