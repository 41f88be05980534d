import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { levelName } from '../../lib/level-names.ts'
import styles from './notice-bell.module.css'

type Props = {
  items: readonly Notice[]
  /** A link was followed. */
  onLeave?: () => void
  /** On a page of their own they have all of its width and height. */
  isPage?: boolean
}

/** Where more is to be seen of it. */
function placeOf({ kind, params }: Notice): string | undefined {
  if (params.run !== undefined) return `/run?id=${params.run}`
  if (params.demandId !== undefined) return `/demandDetail?id=${params.demandId}`
  if (params.task !== undefined && kind !== 'custom_assigned')
    return `/userCenter?tab=custom&task=${params.task}`
  return kind === 'post_reply' ? `/socialHome?tab=posts&post=${params.postId}` : places[kind]
}

const places: { [Kind in Notice['kind']]?: string } = {
  plan_paid: '/userCenter?tab=membership',
  payment_returning: '/userCenter?tab=orders',
  order_refunded: '/userCenter?tab=orders',
  invoice_issued: '/userCenter?tab=orders',
  invoice_refused: '/userCenter?tab=orders',
  withdrawal_recorded: '/userCenter?tab=wallet',
  withdrawal_refused: '/userCenter?tab=wallet',
  code_approved: '/userCenter?tab=code',
  code_rejected: '/userCenter?tab=code',
  custom_assigned: '/customTasks',
  friend_request: '/socialHome?tab=book',
  friend_accepted: '/socialHome?tab=friends',
  office_dispute: '/admin?part=demands',
  office_claim: '/admin?part=claims',
  office_custom_task: '/admin?part=tasks',
  office_code: '/admin?part=code',
  office_withdrawal: '/admin?part=withdrawals',
  office_report: '/admin?part=reports',
  backup_failed: '/admin?part=backups',
  backup_test_failed: '/admin?part=backups',
  clock_jumped: '/admin?part=server',
  disk_low: '/admin?part=server',
}

/** Notices, the latest first; unread ones stand out. */
export function NoticeList({ items, onLeave, isPage = false }: Props) {
  const { t } = useTranslation(['notices', 'notice-kinds', 'levels', 'queue'])
  if (items.length === 0) return <p className={styles.empty}>{t('empty')}</p>
  const textOf = ({ kind, params }: Notice): string => {
    const { level } = params
    return t(`notice-kinds:${kind}.text`, {
      ...params,
      ...(level === undefined ? {} : { level: t(`levels:${levelName(Number(level))}`) }),
      ...(params.until === '' ? { context: 'endless' } : {}),
      ...(params.what === undefined ? {} : { name: t(`queue:news.${params.what}`, params) }),
      ...scoreOf(params),
    })
  }
  return (
    <ul className={styles.list} data-page={isPage}>
      {items.map((notice) => (
        <li key={notice.id} className={notice.isRead ? '' : styles.unread}>
          <strong>
            <Title notice={notice} {...(onLeave ? { onLeave } : {})} />
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

/** How good what has ended is, by the metric that its task is judged by; the text of that metric says so. */
function scoreOf({ metric, score }: Notice['params']): { context?: string; score?: number } {
  return metric === undefined || score === undefined ? {} : { context: metric, score: Number(score) }
}

function Title({ notice, onLeave }: { notice: Notice; onLeave?: () => void }) {
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
