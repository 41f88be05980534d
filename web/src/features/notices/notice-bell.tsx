import { BellOutlined } from '@ant-design/icons'
import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { Badge, Popover } from 'antd'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '../../lib/live.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './notice-bell.module.css'
import { NoticeList } from './notice-list.tsx'

/** The message box: how many notices are unread, and the latest of them. */
export function NoticeBell({ userId }: { userId: string }) {
  const { t } = useTranslation('notices')
  const [isOpen, setIsOpen] = useState(false)
  const titleId = useId()
  const { data, error, refetch } = useCall('notice/list', {}, { quiet: true })
  useLive({ kind: 'user', id: userId }, { refresh: ['notice/list'] })
  const read = useAction('notice/read', { refresh: ['notice/list', 'social/unread'], quiet: true })
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
          <Content
            items={data?.items ?? null}
            error={data ? null : error}
            retry={() => void refetch()}
            onLeave={() => toggle(false)}
          />
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

type ContentProps = {
  items: readonly Notice[] | null
  error: Error | null
  retry: () => void
  /** A link was followed. */
  onLeave: () => void
}

function Content({ items, error, retry, onLeave }: ContentProps) {
  if (error) return <ErrorState error={error} retry={retry} />
  const loading = <Loading shape="rows" count={2} />
  if (!items) return loading
  // The texts come when the box is opened.
  return (
    <Suspense fallback={loading}>
      <NoticeList items={items} onLeave={onLeave} />
    </Suspense>
  )
}
