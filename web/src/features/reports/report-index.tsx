import type { Report } from '@neuroloom/contract/reports'
import { useTranslation } from 'react-i18next'
import styles from './report.module.css'

/** The ways to the sections, beside them where the window has room. */
export function ReportIndex({ sections }: Pick<Report, 'sections'>) {
  const { t } = useTranslation('reports')
  return (
    <nav className={styles.index} aria-label={t('contents')}>
      <p>{t('contents')}</p>
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#report-${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
