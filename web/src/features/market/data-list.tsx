import { FolderFilled } from '@ant-design/icons'
import type { Demand } from '@neuroloom/contract/market/demand'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './market.module.css'

/** The folders that the work is about: opened by who has them, else only counted. */
export function DataList({ demand: { data, folders, isOwn, work } }: { demand: Demand }) {
  const { t } = useTranslation('market')
  if (folders === 0) return null
  if (data.length === 0) return <p className={styles.help}>{t('data.later', { count: folders })}</p>
  return (
    <div className={styles.field}>
      <span className={styles.label}>{t('data.title')}</span>
      <ul className={styles.files} aria-label={t('data.title')}>
        {data.map(({ id, name }) => (
          <li key={id} className={styles.line}>
            <FolderFilled aria-hidden />
            <Link to={`/cloudFile?id=${encodeURIComponent(id)}`}>{name}</Link>
          </li>
        ))}
      </ul>
      <p className={styles.help}>{t(isOwn && work === null ? 'data.help' : 'data.until')}</p>
    </div>
  )
}
