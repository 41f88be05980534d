import { BellOutlined } from '@ant-design/icons'
import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { Badge, Popover } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useLive } from '../../lib/live.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './notice-bell.module.css'

/** The message box: how many notices are unread, and the latest of them. */
export function NoticeBell({ userId }: { userId: string }) {
  const { t } = useTranslation('notices')
  const [isOpen, setIsOpen] = useState(false)
  const titleId = useId()
  const { data, error, refetch } = useCall('notice/list', {}, { quiet: true })
  useLive({ kind: 'user', id: userId }, { refresh: ['notice/list'] })
  const read = useAction('notice/read', { refresh: ['notice/list'], quiet: true })
  const unreadCount = data?.unreadCount ?? 0
  const [newest] = data?.items ?? []
  // Read once they were seen: marked when the box closes, so that new ones stand out while it is open.
  const toggle = (open: boolean) => {
    setIsOpen(open)
    if (!open && newest && unreadCount > 0) read.mutate({ id: newest.id })
  }
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={toggle}
      content={
        <section aria-labelledby={titleId}>
          <h2 className={styles.title} id={titleId}>
            {t('title')}
          </h2>
          <Content items={data?.items ?? null} error={data ? null : error} retry={() => void refetch()} />
        </section>
      }
    >
      <button
        type="button"
        className={styles.bell}
        aria-expanded={isOpen}
        aria-label={t('open', { count: unreadCount })}
      >
        <Badge count={unreadCount} size="small">
          <BellOutlined className={styles.icon ?? ''} aria-hidden />
        </Badge>
      </button>
    </Popover>
  )
}

type ContentProps = { items: readonly Notice[] | null; error: Error | null; retry: () => void }

function Content({ items, error, retry }: ContentProps) {
  if (error) return <ErrorState error={error} retry={retry} />
  return items ? <NoticeList items={items} /> : <Loading shape="rows" count={2} />
}

function NoticeList({ items }: { items: readonly Notice[] }) {
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
