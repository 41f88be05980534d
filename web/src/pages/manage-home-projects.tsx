import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../lib/format.ts'
import { useCall } from '../lib/query.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import styles from './manage-home.module.css'

const shown = 4

export function LatestProjects() {
  const { t } = useTranslation('workspace')
  const { data, error, refetch } = useCall('projects/list', {})
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading count={2} />
  if (data.projects.length === 0) return <p className={styles.none}>{t('recent.noProjects')}</p>
  return (
    <ul className={styles.list}>
      {data.projects.slice(0, shown).map(({ id, name, counts, modifiedAt }) => (
        <li key={id}>
          <Link to={`/projectDetail?id=${id}`} className={styles.row}>
            <span className={styles.what}>
              <span className={styles.name}>{name}</span>
              <span className={styles.note}>
                {t('recent.images', { count: counts.files, shown: formatNumber(counts.files) })}
                {' · '}
                {formatDate(modifiedAt, 'relative')}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
