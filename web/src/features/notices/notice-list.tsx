import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import styles from './notice-bell.module.css'

export function NoticeList({ items }: { items: readonly Notice[] }) {
  const { t } = useTranslation('notices')
  if (items.length === 0) return <p className={styles.empty}>{t('empty')}</p>
  return (
    <ul className={styles.list}>
      {items.map((notice) => (
        <li key={notice.id} className={notice.isRead ? '' : styles.unread}>
          <strong>{t(`kind.${notice.kind}.title`)}</strong>
          <p>{t(`kind.${notice.kind}.text`, notice.params)}</p>
          <time dateTime={notice.at} title={formatDate(notice.at)}>
            {formatDate(notice.at, 'relative')}
          </time>
        </li>
      ))}
    </ul>
  )
}
