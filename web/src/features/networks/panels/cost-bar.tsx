import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useEditor } from '../editor/use-editor.ts'
import styles from './cost-bar.module.css'

/** What the network costs, at a glance and before any run. */
export function CostBar() {
  const { t } = useTranslation('dripe-panels')
  const plan = useEditor(({ resolved }) => resolved.plan)
  return (
    <section className={styles.bar} aria-label={t('bar.title')}>
      {plan === null ? (
        <span>{t('bar.broken')}</span>
      ) : (
        <>
          <span>{t('bar.parameters', { value: formatNumber(plan.learn, 0) })}</span>
          <span>{t('bar.macs', { value: formatNumber(plan.macs / 1e9, 2) })}</span>
        </>
      )}
    </section>
  )
}
