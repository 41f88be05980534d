import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { UpgradeLink } from '../../../ui/limits/upgrade-link.tsx'
import { isOfPlan, reasonNamespaces, reasonText } from '../reason-text.ts'
import type { JobView } from './upload-job.ts'
import styles from './upload-panel.module.css'
import { uploads } from './uploads.ts'

/** Files that did not get through, each by name with its reason. */
export function UploadFailures({ job }: { job: JobView }) {
  const { t } = useTranslation(reasonNamespaces)
  const hidden = job.failureCount - job.failures.length
  return (
    <section className={styles.failures} aria-label={t('upload.failures', { count: job.failureCount })}>
      <header>
        <strong>{t('upload.failures', { count: job.failureCount })}</strong>
        {job.canRetry && (
          <Button size="small" onClick={() => uploads.retryFailed(job.key)}>
            {t('upload.again')}
          </Button>
        )}
      </header>
      <ul>
        {job.failures.map(({ path, reason }) => (
          <li key={path}>
            <b>{path}</b>
            <span>{reasonText(reason, t)}</span>
          </li>
        ))}
      </ul>
      {job.failures.some(({ reason }) => isOfPlan(reason)) && <UpgradeLink />}
      {hidden > 0 && <p className={styles.more}>{t('upload.moreFailures', { count: hidden })}</p>}
    </section>
  )
}
