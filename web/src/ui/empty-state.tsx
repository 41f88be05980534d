/** What a page shows when there is nothing yet: what would be here and how to begin. Fetches nothing. */
import type { ReactNode } from 'react'
import styles from './states.module.css'

type EmptyStateProps = {
  icon?: ReactNode
  title: string
  text?: ReactNode
  action?: ReactNode
  /** `h1` where nothing else is on the page. */
  heading?: 'h1' | 'h2'
}

export function EmptyState({ icon, title, text, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <div className={styles.icon} aria-hidden="true">
        {icon ?? <ThreadsIcon />}
      </div>
      <Heading className={styles.title}>{title}</Heading>
      {text !== undefined && <div className={styles.text}>{text}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}

function ThreadsIcon() {
  return (
    <svg width="40" height="40" viewBox="0 0 40 40" fill="none" aria-hidden="true">
      <path
        d="M12 6v28M20 6v28M28 6v28"
        stroke="currentColor"
        strokeOpacity="0.35"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path
        d="M6 27h6c4.5 0 3.5-14 8-14s3.5 14 8 14h6"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  )
}
