import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { currentLanguage } from '../../lib/i18n.ts'
import { inLanguage } from '../../lib/language.ts'
import { topPaths } from './top-paths.ts'

type Props = {
  to: string
  children: ReactNode
  className?: string | undefined
}

/** A link that keeps the language of the page it stands on. */
export function SiteLink({ to, children, className }: Props) {
  // Renders anew when the language changes.
  useTranslation('common')
  return (
    <Link to={siteAddress(to)} className={className}>
      {children}
    </Link>
  )
}

const paths: readonly string[] = topPaths

/** Other addresses, such as /login, have no language of their own. */
export function siteAddress(to: string): string {
  const [path = ''] = to.split(/[?#]/)
  return paths.includes(path) || path.startsWith('/tutorial/') ? inLanguage(to, currentLanguage()) : to
}
