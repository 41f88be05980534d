import type { CaseCard as Card } from '@neuroloom/contract/market/provider'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import shared from '../../ui/card.module.css'
import styles from './market.module.css'
import { useTaskName } from './use-task-name.ts'

/** One case among many, with its first picture. */
export function CaseCard({ card }: { card: Card }) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const { id, title, task, provider, isPublic, cover } = card
  return (
    <article className={shared.card}>
      {cover !== null && <img className={styles.cover} src={cover} alt="" loading="lazy" />}
      <div className={shared.names}>
        <Link to={`/caseDetail?id=${id}`} className={`${shared.link} ${shared.target}`}>
          {title}
        </Link>
        <span>{provider.nickName === '' ? t('providerGone') : provider.nickName}</span>
      </div>
      <div className={styles.line}>
        <Tag>{nameOf(task)}</Tag>
        {!isPublic && <Tag>{t('case.private')}</Tag>}
      </div>
    </article>
  )
}
