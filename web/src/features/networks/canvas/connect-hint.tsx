import { useTranslation } from 'react-i18next'
import { useMedia } from '../../../ui/hooks/use-media.ts'
import { useScreen } from '../editor/screen.ts'
import styles from './canvas.module.css'

/** While one connects: what the keys do now, or where the finger goes next. */
export function ConnectHint() {
  const { t } = useTranslation('dripe')
  const isAiming = useScreen(({ aim }) => aim !== null)
  const isDrawing = useScreen(({ pending }) => pending !== null)
  const isTouch = useMedia('(pointer: coarse)')
  if (!isAiming && !(isTouch && isDrawing)) return null
  return <div className={styles.hint}>{t(isAiming ? 'canvas.connecting' : 'canvas.connectingByTouch')}</div>
}
