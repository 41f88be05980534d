import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import styles from './evidence.module.css'

/** Of how many pictures one can see where the network looked, and how finely. */
export function HeatNote({ run }: { run: Pick<LearnedRun, 'id'> }) {
  const { t } = useTranslation('evidence')
  const { data } = useCall('runs/evidence', { id: run.id }, { quiet: true })
  const evidence = data?.evidence
  if (!evidence?.heat || evidence.heat.items === 0) return null
  const { items, grid } = evidence.heat
  return (
    <p className={styles.lead}>
      {t('heat.shown', { count: items, items: evidence.items })}{' '}
      {t('heat.grid', { height: grid[0], width: grid[1] })}
    </p>
  )
}
