import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { CountMeter } from '../../ui/limits/used-limit.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './used-limits.module.css'

/** Where what is counted lies, for who wants to make room. */
const places = {
  projects: '/projectHome',
  topFolders: '/cloudHome',
  trainedModels: '/run',
  sharedDatasets: '/cloudHome',
  sharedModels: '/projectHome?tab=shared',
  dataGroups: '/cloudHome?tab=groups',
  chatGroups: '/socialHome?tab=groups',
} as const

/** What the membership allows and how much of it is used; the storage has its bar above. */
export function UsedLimits() {
  const { t } = useTranslation('account')
  const { data, error, refetch } = useCall('plans/used', {}, { quiet: true })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading shape="rows" count={3} />
  const counted = data.limits.flatMap(({ name, used, limit }) =>
    name === 'storageBytes' || limit === null ? [] : [{ name, used, limit }],
  )
  return (
    <section className={styles.used} aria-label={t('used.title')}>
      <h3>{t('used.title')}</h3>
      {counted.length === 0 && <p>{t('used.unlimited')}</p>}
      {counted.map(({ name, used, limit }) => (
        <CountMeter
          key={name}
          name={name}
          used={used}
          limit={limit}
          action={limit > 0 && <Link to={places[name]}>{t(`used.place.${name}`)}</Link>}
        />
      ))}
    </section>
  )
}
