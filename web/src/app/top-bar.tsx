import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { TrialTag } from '../features/accounts/entrance/trial-tag.tsx'
import { MemberBadge } from '../features/accounts/member-badge.tsx'
import { NoticeBell } from '../features/notices/notice-bell.tsx'
import * as goal from '../lib/goal.ts'
import { leftAt } from '../lib/last-tab.ts'
import { isEmbedded, useUser } from '../lib/session.ts'
import { Clock } from '../ui/clock.tsx'
import { useIsNarrow, useMedia } from '../ui/hooks/use-media.ts'
import { LanguageSelect } from '../ui/language-select.tsx'
import { LookToggle } from '../ui/look-toggle.tsx'
import { Logo } from '../ui/pictures/logo.tsx'
import { entriesFor } from './bar-entries.tsx'
import { ModuleSelector } from './module-selector.tsx'
import { SideMenu } from './side-menu.tsx'
import { SiteSearch } from './site-search.tsx'
import styles from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

/** Above every workspace page; on a phone most of it moves into the side menu. */
export function TopBar() {
  const { t } = useTranslation('workspace')
  const { pathname } = useLocation()
  const user = useUser()
  const isNarrow = useIsNarrow()
  // Between a phone and a desk the modules stay in the bar, the rest moves into the menu.
  const isShort = useMedia('(width < 1280px)')
  const hasModules = pathname !== '/mangeHome' && !isEmbedded()
  if (user === null) return <VisitorBar />
  return (
    <header className={styles.bar}>
      <a className={styles.skip} href="#content">
        {t('bar.skip')}
      </a>
      <Link
        to="/mangeHome"
        className={isShort ? styles.logo : `${styles.logo} ${styles.crowded}`}
        aria-label="Neuroloom"
      >
        <Logo size={32} wordmark={!isNarrow} />
      </Link>
      <TrialTag />
      {hasModules && !isNarrow && <ModuleSelector pathname={pathname} />}
      <div className={styles.side}>
        {isShort ? (
          <>
            <NoticeBell userId={user.id} />
            <MemberBadge user={user} />
            <SideMenu user={user} hasModules={hasModules && isNarrow} />
          </>
        ) : (
          <>
            <SiteSearch />
            <Clock />
            {entriesFor(user).map(({ name, to, icon }) => (
              <Link
                key={name}
                to={leftAt(to, pathname)}
                className={styles.entry}
                title={t(`bar.${name}`)}
                aria-current={pathname === to ? 'page' : undefined}
              >
                {icon}
                <span>{t(`bar.${name}`)}</span>
              </Link>
            ))}
            <LanguageSelect />
            <LookToggle />
            <NoticeBell userId={user.id} />
            <MemberBadge user={user} />
            <UserMenu user={user} />
          </>
        )}
      </div>
    </header>
  )
}

/** Whoever opens a link without an account: the way in, and the language. */
function VisitorBar() {
  const { t } = useTranslation(['workspace', 'common'])
  const isNarrow = useIsNarrow()
  const place = useLocation()
  return (
    <header className={styles.bar}>
      <a className={styles.skip} href="#content">
        {t('bar.skip')}
      </a>
      <Link to="/" className={styles.logo} aria-label="Neuroloom">
        <Logo size={32} wordmark={!isNarrow} />
      </Link>
      <div className={styles.side}>
        <LanguageSelect />
        <LookToggle />
        <Link to="/login" className={styles.entry} onClick={() => goal.remember(place)}>
          {t('common:signIn')}
        </Link>
      </div>
    </header>
  )
}
