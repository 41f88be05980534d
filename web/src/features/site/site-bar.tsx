import type { Language } from '@neuroloom/contract/language'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation, useNavigate } from 'react-router'
import { inLanguage, withoutLanguage } from '../../lib/language.ts'
import { chooseLanguage } from '../../lib/own-language.ts'
import { useUser } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LanguageSelect } from '../../ui/look/language-select.tsx'
import { LookToggle } from '../../ui/look/look-toggle.tsx'
import { Logo } from '../../ui/pictures/logo.tsx'
import styles from './site-bar.module.css'
import { SiteLink, siteAddress } from './site-link.tsx'

const entries = ['description', 'tool', 'scenes', 'step', 'tutorial', 'concat'] as const

/** The bar above every public page: the way home, the pages, the language, the way in. */
export function SiteBar() {
  const { t } = useTranslation(['site', 'common'])
  const user = useUser()
  const choose = useLanguageAddress()
  return (
    <header className={styles.bar}>
      <SiteLink to="/" className={styles.home}>
        <span className="nl-hidden">{t('common:home')}: </span>
        <Logo size={34} />
      </SiteLink>
      <nav className={styles.pages} aria-label={t('bar.pages')}>
        <Entries />
      </nav>
      <div className={styles.side}>
        <LanguageSelect onChoose={choose} />
        <LookToggle />
        <ButtonLink to={user === null ? '/login' : '/mangeHome'}>
          {t(user === null ? 'common:signIn' : 'bar.workspace')}
        </ButtonLink>
        <Menu />
      </div>
    </header>
  )
}

function Entries() {
  const { t } = useTranslation('site')
  return entries.map((name) => (
    <NavLink
      key={name}
      to={siteAddress(`/${name}`)}
      className={({ isActive }) => `${styles.entry} ${isActive ? styles.current : ''}`}
    >
      {t(`pages.${name}`)}
    </NavLink>
  ))
}

/** For windows without room for the entries; works before the script has arrived. */
function Menu() {
  const { t } = useTranslation('site')
  const { pathname } = useLocation()
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    // Another page: what was opened to get there closes.
    if (pathname !== '' && menu.current) menu.current.open = false
  }, [pathname])
  return (
    <details className={styles.menu} ref={menu}>
      <summary aria-label={t('bar.menu')}>
        <svg width="22" height="22" viewBox="0 0 22 22" fill="none" aria-hidden="true">
          <path d="M3 6h16M3 11h16M3 16h16" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
      </summary>
      <nav aria-label={t('bar.pages')}>
        <Entries />
      </nav>
    </details>
  )
}

/** The same page in another language has an address of its own. */
function useLanguageAddress(): (language: Language) => void {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const change = async (language: Language) => {
    await chooseLanguage(language)
    await navigate(inLanguage(withoutLanguage(pathname), language) + search + hash, {
      preventScrollReset: true,
    })
  }
  return (language) => void change(language)
}
