import { Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSignOut } from '../features/accounts/sign-out.ts'
import { leftAt } from '../lib/last-tab.ts'
import { useCall } from '../lib/query.ts'
import type { UserRecord } from '../lib/session.ts'
import { Avatar } from '../ui/pictures/avatar.tsx'
import styles from './user-menu.module.css'

/** Service providers have no personal centre (specification, section 6). */
export const hasPersonalCentre = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== 1

export function UserMenu({ user, onShortcuts }: { user: UserRecord; onShortcuts: () => void }) {
  const { t } = useTranslation(['workspace', 'common'])
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { data: setting } = useCall('setting/public', {}, { quiet: true })
  const own = {
    key: 'own',
    label: t('bar.personalCentre'),
    onClick: () => void navigate(leftAt('/userCenter')),
  }
  const upgrade = {
    key: 'upgrade',
    label: t('bar.upgrade'),
    onClick: () => void navigate('/userCenter?tab=upgrade'),
  }
  const canUpgrade = setting?.host === 0 && user.vipSuper === 0
  const ownEntries = canUpgrade ? [own, upgrade] : [own]
  const tasks = {
    key: 'tasks',
    label: t('bar.customTasks'),
    onClick: () => void navigate('/customTasks'),
  }
  const shortcuts = { key: 'shortcuts', label: t('bar.shortcuts'), onClick: onShortcuts }
  const out = { key: 'out', label: t('common:signOut'), onClick: () => void signOut() }
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [...(hasPersonalCentre(user) ? ownEntries : [tasks]), shortcuts, { type: 'divider' }, out],
      }}
    >
      <button type="button" className={styles.button} aria-label={t('bar.account', { name: user.nickName })}>
        <Avatar name={user.nickName} photo={user.photo} />
        <span className={styles.name}>{user.nickName}</span>
        <svg width="10" height="6" viewBox="0 0 10 6" fill="none" aria-hidden="true">
          <path d="m1 1 4 4 4-4" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        </svg>
      </button>
    </Dropdown>
  )
}
