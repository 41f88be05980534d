import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { usePublicSetting } from '../../features/accounts/entrance/public-setting.ts'
import { TrialTag } from '../../features/accounts/entrance/trial-tag.tsx'
import { SiteBar } from '../../features/site/site-bar.tsx'
import { SiteFooter } from '../../features/site/site-footer.tsx'
import styles from './layout.module.css'

/** The frame of the public pages. */
export function SiteLayout() {
  const { t } = useTranslation('site')
  const setting = usePublicSetting()
  return (
    <div className={styles.page}>
      <a className={styles.skip} href="#main">
        {t('bar.skip')}
      </a>
      <SiteBar />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter setting={setting}>
        <TrialTag />
      </SiteFooter>
    </div>
  )
}
