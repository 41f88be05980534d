import { TeamOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { roundAddress } from './addresses.ts'
import styles from './rounds.module.css'

/** A case round as a message: leads there as long as it is open. */
export function RoundCard({ chatId, roundId }: { chatId: string; roundId: string }) {
  const { t } = useTranslation('social-rounds')
  const { data } = useCall('round/list', { chatId }, { quiet: true })
  const round = data?.rounds.find(({ id }) => id === roundId)
  const isOpen = round !== undefined && round.endedAt === null
  return (
    <span className={styles.card}>
      <TeamOutlined aria-hidden />
      <span>{t('round')}</span>
      {isOpen && <Link to={roundAddress(roundId)}>{t('join')}</Link>}
      {data && !isOpen && <small>{t('over')}</small>}
    </span>
  )
}
