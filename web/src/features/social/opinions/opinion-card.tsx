import { SolutionOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import styles from '../rounds/rounds.module.css'
import { opinionAddress } from './addresses.ts'

/** A request for a second opinion as a message: leads there whoever was asked, and whoever asked. */
export function OpinionCard({ opinionId }: { opinionId: string }) {
  const { t } = useTranslation('social-opinions')
  const { data, error } = useCall('opinion/show', { opinionId }, { quiet: true })
  return (
    <span className={styles.card}>
      <SolutionOutlined aria-hidden />
      <span>{t('opinion')}</span>
      {data && <Link to={opinionAddress(opinionId)}>{t(data.canAnswer ? 'read' : 'look')}</Link>}
      {error && <small>{t('notAsked')}</small>}
    </span>
  )
}
