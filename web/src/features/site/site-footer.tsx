import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Logo } from '../../ui/logo.tsx'
import styles from './site-footer.module.css'
import { SiteLink } from './site-link.tsx'

const product = ['description', 'tool', 'scenes'] as const
const help = [
  { name: 'step', to: '/step' },
  { name: 'tutorial', to: '/tutorial' },
  { name: 'membership', to: '/tutorial/registration#levels' },
] as const
const contact = [
  { name: 'consult', to: '/consult' },
  { name: 'custom', to: '/consult?topic=training' },
  { name: 'concat', to: '/concat' },
  { name: 'about', to: '/about' },
] as const

/** Below every public page: where to go on, which version this is, and that nothing here is a diagnosis. */
export function SiteFooter({ version, children }: { version: string; children?: ReactNode }) {
  const { t } = useTranslation(['site', 'common'])
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.about}>
          <Logo size={34} />
          <p>{t('footer.text')}</p>
          <p>{t('footer.medical')}</p>
        </div>
        <nav className={styles.links} aria-label={t('footer.links')}>
          <Group title={t('footer.product')}>
            {product.map((name) => (
              <SiteLink key={name} to={`/${name}`}>
                {t(`pages.${name}`)}
              </SiteLink>
            ))}
          </Group>
          <Group title={t('footer.help')}>
            {help.map(({ name, to }) => (
              <SiteLink key={name} to={to}>
                {t(`pages.${name}`)}
              </SiteLink>
            ))}
          </Group>
          <Group title={t('footer.contact')}>
            {contact.map(({ name, to }) => (
              <SiteLink key={name} to={to}>
                {t(`pages.${name}`)}
              </SiteLink>
            ))}
            <Link to="/login">{t('common:signIn')}</Link>
          </Group>
        </nav>
        <p className={styles.version}>
          <span>Neuroloom {version}</span>
          {children}
        </p>
      </div>
    </footer>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.group}>
      <p>{title}</p>
      {children}
    </div>
  )
}
