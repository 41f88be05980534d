import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Logo } from '../../ui/pictures/logo.tsx'
import { HelpLink, isShown, type Setting } from './home-links.tsx'
import styles from './site-footer.module.css'
import { SiteLink } from './site-link.tsx'

const product = ['description', 'tool', 'scenes'] as const
const help = ['step', 'tutorial', 'membership', 'social'] as const
const contact = ['consult', 'custom', 'concat', 'about', 'recycle'] as const

/** Below every public page: where to go on, which version this is, and that nothing here is a diagnosis. */
export function SiteFooter({ setting, children }: { setting: Setting; children?: ReactNode }) {
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
            {help
              .filter((name) => isShown(name, setting))
              .map((name) => (
                <HelpLink key={name} name={name} />
              ))}
          </Group>
          <Group title={t('footer.contact')}>
            {contact.map((name) => (
              <HelpLink key={name} name={name} />
            ))}
            <Link to="/login">{t('common:signIn')}</Link>
          </Group>
        </nav>
        <p className={styles.version}>
          <span>Neuroloom {setting?.version}</span>
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
