import { Drawer } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useSignOut } from '../features/accounts/sign-out.ts'
import { leftAt } from '../lib/last-tab.ts'
import type { UserRecord } from '../lib/session.ts'
import { Clock } from '../ui/clock.tsx'
import { LanguageSelect } from '../ui/look/language-select.tsx'
import { LookToggle } from '../ui/look/look-toggle.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { MenuIcon } from '../ui/pictures/pictograms.tsx'
import { entriesFor } from './bar-entries.tsx'
import { ModuleLinks } from './module-selector.tsx'
import styles from './side-menu.module.css'
import { SiteSearch } from './site-search.tsx'
import { useShortcut } from './use-shortcut.ts'
import { hasPersonalCentre } from './user-menu.tsx'

type SideMenuProps = { user: UserRecord; hasModules: boolean; onShortcuts: () => void }

/** On narrow screens: what the top bar has no room for. */
export function SideMenu({ user, hasModules, onShortcuts }: SideMenuProps) {
  const { t } = useTranslation(['workspace', 'common'])
  const { pathname } = useLocation()
  const [openFor, setOpenFor] = useState<'menu' | 'search' | null>(null)
  const signOut = useSignOut()
  const isOpen = openFor !== null
  const isForSearch = openFor === 'search'
  const close = () => setOpenFor(null)
  useShortcut('search', () => setOpenFor('search'))
  return (
    <>
      <button
        type="button"
        className={styles.opener}
        aria-label={t('bar.menu')}
        aria-expanded={isOpen}
        onClick={() => setOpenFor('menu')}
      >
        <MenuIcon />
      </button>
      <Drawer
        open={isOpen}
        onClose={close}
        size={300}
        autoFocus={!isForSearch}
        destroyOnHidden
        title={
          <span className={styles.who}>
            <Avatar name={user.nickName} photo={user.photo} />
            {user.nickName}
          </span>
        }
      >
        <div className={styles.search}>
          <SiteSearch onFound={close} isInline begins={isForSearch} />
        </div>
        <nav className={styles.links} aria-label={t('bar.modules')}>
          {entriesFor(user).map(({ name, to }) => (
            <Link key={name} to={leftAt(to, pathname)} onClick={close}>
              {t(`bar.${name}`)}
            </Link>
          ))}
          {hasModules && <ModuleLinks pathname={pathname} onChoose={close} />}
          {hasPersonalCentre(user) && (
            <Link to={leftAt('/userCenter', pathname)} onClick={close}>
              {t('bar.personalCentre')}
            </Link>
          )}
          {!hasPersonalCentre(user) && (
            <Link to="/customTasks" onClick={close}>
              {t('bar.customTasks')}
            </Link>
          )}
          <button
            type="button"
            onClick={() => {
              close()
              onShortcuts()
            }}
          >
            {t('bar.shortcuts')}
          </button>
          <button type="button" onClick={() => void signOut()}>
            {t('common:signOut')}
          </button>
        </nav>
        <div className={styles.foot}>
          <LanguageSelect />
          <LookToggle />
          <Clock />
        </div>
      </Drawer>
    </>
  )
}
