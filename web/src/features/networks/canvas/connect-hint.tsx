import { useTranslation } from 'react-i18next'
import { useScreen } from '../editor/screen.ts'
import styles from './canvas.module.css'

/** While one connects by keyboard: what the keys do now. */
export function ConnectHint() {
  const { t } = useTranslation('dripe')
  const isAiming = useScreen(({ aim }) => aim !== null)
  return isAiming ? <div className={styles.hint}>{t('canvas.connecting')}</div> : null
}
