import type { Project } from '@neuroloom/contract/projects'
import { useTranslation } from 'react-i18next'
import { formatScore } from '../../lib/metric.ts'
import styles from './project-card.module.css'

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
      {score !== null && (
        <span className={styles.score}>
          {t(`score.${task}`)} <strong>{formatScore(task, score)}</strong>
        </span>
      )}
    </p>
  )
}

function nextStepOf({ access, counts }: Project) {
  if (access === 'view') return 'next.none'
  if (counts.trainSets + counts.testSets === 0) return 'next.data'
  // Images count once they have been looked at and found usable.
  return counts.files === 0 ? 'next.check' : 'next.train'
}
