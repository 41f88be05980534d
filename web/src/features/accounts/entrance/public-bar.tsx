import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { LanguageSelect } from '../../../ui/look/language-select.tsx'
import { LookToggle } from '../../../ui/look/look-toggle.tsx'
import { Logo } from '../../../ui/pictures/logo.tsx'
import styles from './public-bar.module.css'
import { TrialTag } from './trial-tag.tsx'

/** The bar above public pages: the way home, the language and, where wanted, the way in. */
export function PublicBar({ hasSignIn = false }: { hasSignIn?: boolean }) {
  const { t } = useTranslation('common')
  const user = useUser()
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.home} aria-label={`Neuroloom, ${t('home')}`}>
        <Logo size={34} />
      </Link>
      <TrialTag />
      <nav className={styles.side} aria-label={t('quickLinks')}>
        <LanguageSelect />
        <LookToggle />
        {hasSignIn && (
          <ButtonLink to={user === null ? '/login' : '/mangeHome'}>
            {t(user === null ? 'signIn' : 'openWorkspace')}
          </ButtonLink>
        )}
      </nav>
    </header>
  )
}
