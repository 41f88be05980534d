import { Logo } from '../ui/pictures/logo.tsx'
import styles from './starting.module.css'

/** Before the first page has loaded. */
export function Starting() {
  return (
    <div className={styles.starting}>
      <Logo size={44} wordmark={false} />
    </div>
  )
}
