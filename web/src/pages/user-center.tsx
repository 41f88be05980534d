import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { ProfileCard } from '../features/accounts/profile-card.tsx'
import { useSignOut } from '../features/accounts/sign-out.ts'
import { StorageBar } from '../features/files/storage-bar.tsx'
import { useCall } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { LanguageSelect } from '../ui/language-select.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader, Panel } from '../ui/page.tsx'
import styles from './user-center.module.css'

export function UserCenter() {
  const { t } = useTranslation(['accounts', 'common'])
  const signOut = useSignOut()
  return (
    <Page>
      <PageHeader title={t('profile.title')} subtitle={t('profile.subtitle')} />
      <div className={styles.columns}>
        <Panel title={t('profile.data')}>
          <OwnData />
        </Panel>
        <div className={styles.aside}>
          <Panel title={t('profile.storage')}>
            <StorageBar />
          </Panel>
          <Panel title={t('profile.language')} extra={<LanguageSelect />}>
            <p className={styles.note}>{t('profile.languageText')}</p>
          </Panel>
          <Panel
            title={t('profile.session')}
            extra={<Button onClick={() => void signOut()}>{t('common:signOut')}</Button>}
          >
            <p className={styles.note}>{t('profile.sessionText')}</p>
          </Panel>
        </div>
      </div>
    </Page>
  )
}

function OwnData() {
  const user = useUser()
  const { data, error, refetch } = useCall('user/info', user === null ? {} : { userId: user.id })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return data ? <ProfileCard user={data} /> : <Loading />
}
