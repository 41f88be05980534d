import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as goal from '../../lib/goal.ts'
import { useUser } from '../../lib/session.ts'
import { SiteLink } from './site-link.tsx'

/** Where the links below the start pages lead. */
export const linkTo = {
  step: '/step',
  tutorial: '/tutorial',
  custom: '/consult?topic=training',
  consult: '/consult',
  membership: '/tutorial/registration#levels',
  social: '/tutorial/social',
  concat: '/concat',
  about: '/about',
} as const
type LinkName = keyof typeof linkTo

/** On a hospital's own server there are neither levels to upgrade to nor a community. */
const publicOnly: ReadonlySet<LinkName> = new Set(['membership', 'social'])

export const isShown = (name: LinkName, isPrivate: boolean): boolean => !isPrivate || !publicOnly.has(name)

const homeLinks = ['step', 'custom', 'consult', 'membership', 'social', 'about'] as const

/** The seven links below the start page. */
export function HomeLinks({ className, isPrivate }: { className: string | undefined; isPrivate: boolean }) {
  const { t } = useTranslation('site')
  return (
    <nav className={className} aria-label={t('footer.links')}>
      {homeLinks
        .filter((name) => isShown(name, isPrivate))
        .map((name) => (
          <SiteLink key={name} to={linkTo[name]}>
            {t(`pages.${name}`)}
          </SiteLink>
        ))}
      <RecycleLink />
    </nav>
  )
}

/** What was deleted; a visitor comes by the sign-in page. */
export function RecycleLink() {
  const { t } = useTranslation('site')
  const user = useUser()
  const to = '/projectRubbish'
  if (user !== null) return <Link to={to}>{t('pages.recycle')}</Link>
  return (
    <Link to="/login" onClick={() => goal.remember({ pathname: to })}>
      {t('pages.recycle')}
    </Link>
  )
}
