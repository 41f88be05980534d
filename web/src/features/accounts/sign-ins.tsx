import type { Answer } from '@neuroloom/contract/calls'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { deviceOf } from './entrance/device.ts'
import styles from './sign-ins.module.css'

type SignIn = Answer<'user/signins'>['items'][number]

/** When, with what and from where the account was used. */
export function SignIns() {
  const { t } = useTranslation('account')
  const user = useUser()
  const { data, error, refetch } = useCall('user/signins', user === null ? {} : { userId: user.id }, {
    quiet: true,
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <p className={styles.lead}>{t('signIns.text')}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('signIns.time')}</th>
            <th scope="col">{t('signIns.device')}</th>
            <th scope="col">{t('signIns.address')}</th>
            <th scope="col">{t('signIns.state')}</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((item) => (
            <Row key={item.id} item={item} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Row({ item }: { item: SignIn }) {
  const { t } = useTranslation('account')
  const device = deviceOf(item.agent)
  return (
    <tr data-current={item.isCurrent}>
      <td>
        <time dateTime={item.startedAt}>{formatDate(item.startedAt, 'minute')}</time>
      </td>
      <td>{device === null ? t('signIns.program') : device.join(' · ') || t('signIns.unknown')}</td>
      <td>{item.address}</td>
      <td>
        <State item={item} />
      </td>
    </tr>
  )
}

function State({ item }: { item: SignIn }) {
  const { t } = useTranslation('account')
  if (item.isCurrent) return <span className={styles.current}>{t('signIns.current')}</span>
  const { endedAt, endReason, usedAt } = item
  const date = formatDate(endedAt ?? usedAt, 'minute')
  return t(`signIns.${endedAt === null ? 'open' : (endReason ?? 'expired')}`, { date })
}
