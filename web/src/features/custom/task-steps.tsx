import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './custom.module.css'

/** Everything that became of one request, in order. */
export function TaskSteps({ id }: { id: string }) {
  const { t } = useTranslation('custom')
  const { data, error, refetch } = useCall('customTask/detail', { id }, { quiet: true, gcTime: 0 })
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading count={2} />
  return (
    <ol className={styles.steps} aria-label={t('steps.open')}>
      {data.steps.map(({ state, progress, note, at }) => (
        <li key={`${at} ${state} ${progress}`}>
          <time dateTime={at}>{formatDate(at, 'minute')}</time>
          <span>
            {state === 'processing' ? t('steps.progress', { progress }) : t(`state.${state}`)}
            {note !== '' && <span className={styles.note}>{note}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
