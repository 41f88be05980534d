import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer } from '@neuroloom/contract/calls'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as goal from '../../lib/goal.ts'
import { useUser } from '../../lib/session.ts'
import { SiteLink } from './site-link.tsx'

/** Where the links below the start pages lead. */
const linkTo = {
  step: '/step',
  tutorial: '/tutorial',
  custom: '/consult?topic=training',
  consult: '/consult',
  membership: '/userCenter?tab=upgrade',
  social: '/socialHome',
  concat: '/concat',
  about: '/about',
  recycle: '/projectRubbish',
} as const
type LinkName = keyof typeof linkTo

/** What the server says to everybody; null until it is known. */
export type Setting = Pick<Answer<'setting/public'>, 'host' | 'off' | 'version'> | null

/** On a hospital's own server there are neither levels to upgrade to nor a community, which may also be switched off. */
export function isShown(name: LinkName, setting: Setting): boolean {
  if (name !== 'membership' && name !== 'social') return true
  if (setting?.host === -1) return false
  return name !== 'social' || setting?.off.includes('social') !== true
}

const homeLinks = ['step', 'custom', 'consult', 'membership', 'social', 'about', 'recycle'] as const

/** The seven links below the start page. */
export function HomeLinks({ className, setting }: { className: string | undefined; setting: Setting }) {
  const { t } = useTranslation('site')
  return (
    <nav className={className} aria-label={t('footer.links')}>
      {homeLinks
        .filter((name) => isShown(name, setting))
        .map((name) => (
          <HelpLink key={name} name={name} />
        ))}
    </nav>
  )
}

/** One of them by its name; what only members have a visitor comes to by the sign-in page. */
export function HelpLink({ name }: { name: LinkName }) {
  const { t } = useTranslation('site')
  const user = useUser()
  const text = t(`pages.${name}`)
  const to = linkTo[name]
  // Service providers have no community.
  if (name === 'social' && user?.role === roles.provider) return null
  // What was deleted, the own membership and the own conversations.
  const isOwn = name === 'membership' || name === 'recycle' || name === 'social'
  if (user !== null || !isOwn) return <SiteLink to={to}>{text}</SiteLink>
  return (
    <Link to="/login" onClick={() => goal.remember({ pathname: to })}>
      {text}
    </Link>
  )
}
