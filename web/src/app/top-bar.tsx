import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LanguageSelect } from '../ui/language-select.tsx'
import { Logo } from '../ui/logo.tsx'

export function TopBar() {
  const { t } = useTranslation('common')
  return (
    <header>
      <Link to="/mangeHome" aria-label={t('home')}>
        <Logo />
      </Link>
      <LanguageSelect />
    </header>
  )
}
