import type { ReactNode } from 'react'
import styles from './page-buttons.module.css'

/** The buttons of a folder's page: in a row, and as wide as the screen on a phone. */
export function PageButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
