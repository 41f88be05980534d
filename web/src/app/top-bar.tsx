import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { TrialTag } from '../features/accounts/entrance/trial-tag.tsx'
import { MemberBadge } from '../features/accounts/member-badge.tsx'
import { NoticeBell } from '../features/notices/notice-bell.tsx'
import * as goal from '../lib/goal.ts'
import { leftAt } from '../lib/last-tab.ts'
import { isEmbedded, type UserRecord, useUser } from '../lib/session.ts'
import { Clock } from '../ui/clock.tsx'
import { useIsNarrow, useMedia } from '../ui/hooks/use-media.ts'
import { useTightness } from '../ui/hooks/use-tightness.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { LanguageSelect } from '../ui/look/language-select.tsx'
import { LookToggle } from '../ui/look/look-toggle.tsx'
import { Logo } from '../ui/pictures/logo.tsx'
import { entriesFor } from './bar-entries.tsx'
import { BarSearch } from './bar-search.tsx'
import { ModuleSelector } from './module-selector.tsx'
import { SideMenu } from './side-menu.tsx'
import styles from './top-bar.module.css'
import { useShortcut } from './use-shortcut.ts'
import { UserMenu } from './user-menu.tsx'

/** Rare. */
const ShortcutSheet = lazyPart(async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet, {
  over: true,
})

/** What gives way first in a bar that is too full: words of entries, then clock and mark, then room around words, then the word of the trial. */
const steps = ['icons', 'small', 'close', 'mark'] as const
/** Then all but the modules moves into the side menu, at last these as well. */
const IN_MENU = steps.length + 1

/** Above every workspace page; on a phone most of it moves into the side menu. */
export function TopBar() {
  const { pathname } = useLocation()
  const user = useUser()
  if (user === null) return <VisitorBar />
  return <MemberBar user={user} pathname={pathname} />
}

function MemberBar({ user, pathname }: { user: UserRecord; pathname: string }) {
  const { t, i18n } = useTranslation('workspace')
  const row = useRef<HTMLElement>(null)
  const hasModules = pathname !== '/mangeHome' && !isEmbedded()
  const tightness = useTightness(row, IN_MENU + 1, `${i18n.language} ${hasModules}`)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const openSheet = () => setSheetOpen(true)
  const closeSheet = () => setSheetOpen(false)
  useShortcut('help', openSheet)
  const isPhone = useIsNarrow()
  const isNarrow = isPhone || (hasModules && tightness > IN_MENU)
  // Between a phone and a desk the modules stay in the bar, the rest moves into the menu.
  const isShort = useMedia('(width < 1280px)') || tightness >= IN_MENU
  return (
    <header className={styles.bar} ref={row} data-tight={steps.slice(0, tightness).join(' ')}>
      <a className={styles.skip} href="#content">
        {t('bar.skip')}
      </a>
      <Link to="/mangeHome" className={styles.logo} aria-label="Neuroloom">
        <Logo size={32} wordmark={!isNarrow} />
      </Link>
      <TrialTag />
      {hasModules && !isNarrow && <ModuleSelector pathname={pathname} />}
      <div className={styles.side}>
        {isShort ? (
          <>
            <NoticeBell userId={user.id} />
            <MemberBadge user={user} />
            <SideMenu user={user} hasModules={hasModules && isNarrow} onShortcuts={openSheet} />
          </>
        ) : (
          <>
            <BarSearch />
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
            <UserMenu user={user} onShortcuts={openSheet} />
          </>
        )}
      </div>
      {isSheetOpen && (
        <Suspense fallback={null}>
          <ShortcutSheet onClose={closeSheet} />
        </Suspense>
      )}
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
