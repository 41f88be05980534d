import { Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction, useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from '../user-center.module.css'

/** Which e-mails the member wishes; there is nothing to wish where none are sent, or to nowhere. */
export function Letters() {
  const { t } = useTranslation('account')
  const user = useUser()
  const body = user === null ? {} : { userId: user.id }
  const { data: setting } = useCall('setting/public', {}, { quiet: true })
  const { data, error, refetch } = useCall('user/info', body, { quiet: true })
  const save = useAction('user/edit', { refresh: ['user/info'] })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data || !setting) return <Loading />
  if (!setting.letters) return <p className={styles.lead}>{t('letters.off')}</p>
  const hasAddress = data.account === 'email' || data.email !== ''
  return (
    <>
      <div className={styles.switch}>
        <span id="letters-run">{t('letters.title')}</span>
        <Switch
          aria-labelledby="letters-run"
          aria-describedby="letters-about"
          checked={data.runMail}
          disabled={!hasAddress && !data.runMail}
          loading={save.isPending}
          onChange={(runMail) => save.mutate({ ...body, runMail })}
        />
      </div>
      <p id="letters-about" className={styles.lead}>
        {t('letters.text')}
      </p>
      {hasAddress ? null : (
        <p>
          {t('letters.nowhere')} <Link to="?tab=member">{t('letters.add')}</Link>
        </p>
      )}
    </>
  )
}
