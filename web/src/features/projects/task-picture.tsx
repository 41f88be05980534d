import type { Task } from '@neuroloom/contract/task'
import styles from './task-picture.module.css'

/** What a task does, as a small drawing: a picture gets a name, or a shape gets an outline. */
export function TaskPicture({ task, size }: { task: Task; size: 'small' | 'large' }) {
  return (
    <span className={styles.picture} data-size={size} aria-hidden>
      {task === 'classification' ? <Classification /> : <Segmentation />}
    </span>
  )
}

function Classification() {
  return (
    <svg viewBox="0 0 96 64" role="presentation">
      <rect className={styles.film} x="6" y="8" width="40" height="48" rx="6" />
      <path className={styles.shape} d="M16 44c0-14 2-24 8-24 5 0 4 8 4 14s-1 14-5 14-7 0-7-4Z" />
      <path className={styles.shape} d="M38 44c0-14-2-22-6-22-3 0-3 8-3 12s0 14 4 14 5 0 5-4Z" />
      <path className={styles.arrow} d="M52 32h9m-4-4 4 4-4 4" />
      <rect className={styles.label} x="67" y="12" width="24" height="9" rx="4.5" />
      <rect className={styles.chosen} x="67" y="27.5" width="24" height="9" rx="4.5" />
      <rect className={styles.label} x="67" y="43" width="24" height="9" rx="4.5" />
    </svg>
  )
}

function Segmentation() {
  return (
    <svg viewBox="0 0 96 64" role="presentation">
      <rect className={styles.film} x="6" y="8" width="38" height="48" rx="6" />
      <circle className={styles.shape} cx="21" cy="26" r="8" />
      <ellipse className={styles.shape} cx="31" cy="43" rx="7" ry="6" />
      <path className={styles.arrow} d="M46 32h6m-3-3 3 3-3 3" />
      <rect className={styles.film} x="54" y="8" width="38" height="48" rx="6" />
      <circle className={styles.outline} cx="69" cy="26" r="8" />
      <ellipse className={styles.outline} cx="79" cy="43" rx="7" ry="6" />
    </svg>
  )
}
