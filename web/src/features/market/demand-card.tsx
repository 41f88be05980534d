import type { DemandCard as Card } from '@neuroloom/contract/market/demand'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import shared from '../../ui/card.module.css'
import { DemandMark } from './demand-state.tsx'
import styles from './market.module.css'
import { useTaskName } from './use-task-name.ts'

/** One demand among many: what is to be done, by when, for about how much. */
export function DemandCard({ card }: { card: Card }) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const { id, title, task, budgetFen, deadline, state, owner, isOwn, offers, hasOffered } = card
  const by = owner.nickName === '' ? t('ownerGone') : owner.nickName
  return (
    <article className={shared.card}>
      <div className={shared.head}>
        <div className={shared.names}>
          <Link to={`/demandDetail?id=${id}`} className={`${shared.link} ${shared.target}`}>
            {title}
          </Link>
          <span>{isOwn ? t('byYou') : by}</span>
        </div>
        <span className={styles.price}>{formatFen(budgetFen)}</span>
      </div>
      <div className={styles.line}>
        <Tag>{nameOf(task)}</Tag>
        {hasOffered && <Tag color="cyan">{t('offered')}</Tag>}
      </div>
      <div className={shared.foot}>
        <DemandMark state={state} />
        <span>{t('until', { date: formatDate(deadline, 'day') })}</span>
        <span>{t('offers', { count: offers })}</span>
      </div>
    </article>
  )
}
