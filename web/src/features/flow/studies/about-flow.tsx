import { flowFormats, phantoms } from '@neuroloom/contract/flow/named'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Panel } from '../../../ui/page.tsx'
import styles from '../flow.module.css'
import { drawings } from '../known/drawings.tsx'
import { allVendors } from '../words.ts'

/** Where there is no study yet: what 4D flow is, what can be opened, and how to begin. */
export function AboutFlow({ ways }: { ways: ReactNode }) {
  const { t } = useTranslation('flow')
  return (
    <Panel>
      <div className={styles.about}>
        <div className={styles.begin}>
          <div className={styles.emblem} aria-hidden="true">
            {drawings.womersley}
          </div>
          <h2>{t('about.title')}</h2>
          <p>{t('about.what')}</p>
          <p>{t('about.phantom', { count: phantoms.length })}</p>
          <div className={styles.ways}>{ways}</div>
          <Link to="/cloudHome">{t('upload')}</Link>
        </div>
        <div className={styles.takes}>
          <h3>{t('about.takes')}</h3>
          <ul>
            {flowFormats.map((source) => (
              <li key={source}>{t(`about.${source}`, { vendors: allVendors })}</li>
            ))}
          </ul>
        </div>
      </div>
    </Panel>
  )
}
