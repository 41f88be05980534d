import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { leftAt } from '../lib/last-tab.ts'
import styles from './module-selector.module.css'
import { moduleOf, modules } from './modules.ts'

/** Which module a page belongs to, and the way to the others. */
export function ModuleSelector({ pathname, onChoose }: { pathname: string; onChoose?: () => void }) {
  const { t } = useTranslation('workspace')
  const current = moduleOf(pathname)
  return (
    <nav className={styles.modules} aria-label={t('bar.modules')}>
      {modules.map(({ name, to }) => (
        <Link
          key={name}
          to={leftAt(to, pathname)}
          className={styles.module}
          aria-current={name === current ? 'page' : undefined}
          onClick={onChoose}
        >
          {t(`bar.${name}`)}
        </Link>
      ))}
    </nav>
  )
}
