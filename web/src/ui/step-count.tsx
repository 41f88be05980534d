/** On a phone, where a form goes step by step: which step this is. */
import { useTranslation } from 'react-i18next'
import styles from './step-count.module.css'

export function StepCount({ step, of, title }: { step: number; of: number; title: string }) {
  const { t } = useTranslation('common')
  return (
    <p className={styles.count}>
      <span>{t('step.count', { step, of })}</span> {title}
    </p>
  )
}
