import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useHasOrders } from '../features/market/has-orders.ts'
import { useHasCommunity } from '../features/social/community.ts'
import { useSocialStore } from '../features/social/social-store.ts'
import { formatNumber } from '../lib/format.ts'
import { leftAt } from '../lib/last-tab.ts'
import { useLive } from '../lib/live.ts'
import { useUser } from '../lib/session.ts'
import styles from './module-selector.module.css'
import { moduleOf, modules } from './modules.ts'

type Props = { pathname: string }

/** Which module a page belongs to, and the way to the others. */
export function ModuleSelector({ pathname }: Props) {
  const { t } = useTranslation('workspace')
  return (
    <nav className={styles.modules} aria-label={t('bar.modules')}>
      <ModuleLinks pathname={pathname} className={styles.module} />
    </nav>
  )
}

type LinksProps = Props & { onChoose?: () => void; className?: string | undefined }

/** The links to the modules that this member has; the community tells how much is unread there. */
export function ModuleLinks({ pathname, onChoose, className }: LinksProps) {
  const { t } = useTranslation('workspace')
  const current = moduleOf(pathname)
  const user = useUser()
  const hasCommunity = useHasCommunity() === true
  const hasOrders = useHasOrders()
  const { unreadCount } = useSocialStore({ enabled: hasCommunity })
  useLive(hasCommunity && user ? { kind: 'user', id: user.id } : null, { refresh: ['social/unread'] })
  return modules
    .filter(({ name }) => (name !== 'social' || hasCommunity) && (name !== 'order' || hasOrders))
    .map(({ name, to }) => (
      <Link
        key={name}
        to={leftAt(to, pathname)}
        className={className}
        aria-current={name === current ? 'page' : undefined}
        onClick={onChoose}
      >
        {t(`bar.${name}`)}
        {name === 'social' && unreadCount > 0 && (
          <span className={styles.badge} role="img" aria-label={t('bar.unread', { count: unreadCount })}>
            {formatNumber(unreadCount)}
          </span>
        )}
      </Link>
    ))
}
