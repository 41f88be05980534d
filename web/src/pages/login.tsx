import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { LoginForm } from '../features/accounts/login-form.tsx'
import { PublicBar } from '../features/accounts/public-bar.tsx'
import { user } from '../lib/session.ts'
import { useTitle } from '../ui/page.tsx'
import { Weave } from '../ui/weave.tsx'
import styles from './login.module.css'

export function Login() {
  const { t } = useTranslation(['accounts', 'common'])
  const goIn = useEntrance()
  // Only who arrives signed in is sent on; after a sign-in the page stays until the workspace has loaded.
  const [arrivedSignedIn] = useState(() => user() !== null)
  useTitle(t('login.title'))
  if (arrivedSignedIn) return <Navigate to="/mangeHome" replace />
  return (
    <div className={styles.page}>
      <PublicBar />
      <main className={styles.main}>
        <section className={styles.story}>
          <h2>{t('login.story.title')}</h2>
          <p>{t('login.story.text')}</p>
          <Weave answers={[t('common:answers.chest'), t('common:answers.head'), t('common:answers.cells')]} />
        </section>
        <section className={styles.card}>
          <h1>{t('login.title')}</h1>
          <p className={styles.welcome}>{t('login.welcome')}</p>
          <LoginForm onSignedIn={goIn} />
          <p className={styles.help}>{t('login.help')}</p>
        </section>
      </main>
    </div>
  )
}

/** To the start page, or with a data-group number to the groups of the cloud. */
function useEntrance(): () => void {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const group = query.get('nbr')
  useEffect(() => {
    if (group !== null) sessionStorage.setItem('current', '4')
  }, [group])
  return () => void navigate(group === null ? '/mangeHome' : `/cloudHome?nbr=${encodeURIComponent(group)}`)
}
