import { BellOutlined } from '@ant-design/icons'
import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { Badge, Popover } from 'antd'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { levelName } from '../../lib/level-names.ts'
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

/** Where more is to be seen of it. */
const placeOf = ({ kind, params }: Notice): string | undefined =>
  params.run === undefined ? places[kind] : `/run?id=${params.run}`
const places: { [Kind in Notice['kind']]?: string } = {
  plan_paid: '/userCenter?tab=membership',
  payment_returning: '/userCenter?tab=orders',
  order_refunded: '/userCenter?tab=orders',
  invoice_issued: '/userCenter?tab=orders',
  invoice_refused: '/userCenter?tab=orders',
  withdrawal_recorded: '/userCenter?tab=wallet',
  withdrawal_refused: '/userCenter?tab=wallet',
}

function NoticeList({ items, onLeave }: { items: readonly Notice[]; onLeave: () => void }) {
  const { t } = useTranslation(['notices', 'notice-kinds', 'levels', 'queue'])
  if (items.length === 0) return <p className={styles.empty}>{t('empty')}</p>
  const textOf = ({ kind, params }: Notice): string => {
    const { level } = params
    return t(`notice-kinds:${kind}.text`, {
      ...params,
      ...(level === undefined ? {} : { level: t(`levels:${levelName(Number(level))}`) }),
      ...(params.until === '' ? { context: 'endless' } : {}),
      ...(params.what === undefined ? {} : { name: t(`queue:news.${params.what}`, params) }),
    })
  }
  return (
    <ul className={styles.list}>
      {items.map((notice) => (
        <li key={notice.id} className={notice.isRead ? '' : styles.unread}>
          <strong>
            <Title notice={notice} onLeave={onLeave} />
          </strong>
          <p>{textOf(notice)}</p>
          <time dateTime={notice.at} title={formatDate(notice.at)}>
            {formatDate(notice.at, 'relative')}
          </time>
        </li>
      ))}
    </ul>
  )
}

function Title({ notice, onLeave }: { notice: Notice; onLeave: () => void }) {
  const { t } = useTranslation('notice-kinds')
  const title = t(`${notice.kind}.title`)
  const place = placeOf(notice)
  if (place === undefined) return title
  return (
    <Link to={place} onClick={onLeave}>
      {title}
    </Link>
  )
}
