import { ExperimentOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import styles from './flow.module.css'

/** Stands on every page of 4D flow. */
export function ResearchNote() {
  const { t } = useTranslation('flow')
  return (
    <p className={styles.research}>
      <ExperimentOutlined aria-hidden /> {t('research')}
    </p>
  )
}
