import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './sign-ins.module.css'

/** What happened to the account besides sign-ins. */
export function AccountHistory() {
  const { t } = useTranslation('account')
  const user = useUser()
  const { data, error, refetch } = useCall('user/history', user === null ? {} : { userId: user.id }, {
    quiet: true,
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <p className={styles.lead}>{t('history.text')}</p>
      {data.items.length === 0 ? (
        <p>{t('history.empty')}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('signIns.time')}</th>
              <th scope="col">{t('history.what')}</th>
              <th scope="col">{t('signIns.address')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id, deed, at, address }) => (
              <tr key={id}>
                <td>
                  <time dateTime={at}>{formatDate(at, 'minute')}</time>
                </td>
                <td>{t(`history.deed.${deed}`)}</td>
                <td>{address}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
