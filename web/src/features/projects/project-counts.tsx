import type { Project } from '@neuroloom/contract/projects'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import styles from './project-counts.module.css'

const shown = ['files', 'trainSets', 'testSets', 'models', 'displays', 'reports'] as const
type Counted = (typeof shown)[number]

/** The six counts of a project, each leading to what it counts. */
export function ProjectCounts({
  project,
  addressOf,
}: {
  project: Project
  addressOf: (counted: Counted) => string
}) {
  const { t } = useTranslation('projects')
  return (
    <ul className={styles.counts} aria-label={t('counts.label')}>
      {shown.map((counted) => {
        const count = project.counts[counted]
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
