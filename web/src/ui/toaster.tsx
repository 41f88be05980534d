/** Draws the toasts of lib/toast at the agreed height; decides nothing about them. */
import { toast as limits } from '@neuroloom/contract/limits'
import { useSyncExternalStore } from 'react'
import { dismissToast, subscribeToasts, type Toast, type ToastKind, visibleToasts } from '../lib/toast.ts'
import styles from './toaster.module.css'

export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToasts, visibleToasts, visibleToasts)
  return (
    <div className={styles.toaster} style={{ top: limits.offset }} aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast: { id, kind, text, action } }: { toast: Toast }) {
  return (
    <div className={`${styles.toast} ${styles[kind]}`} role={kind === 'success' ? 'status' : 'alert'}>
      <svg className={styles.icon} width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true">
        <circle cx="10" cy="10" r="9" fill="currentColor" />
        <path
          d={marks[kind]}
          stroke="var(--nl-on-primary)"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span>{text}</span>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismissToast(id)
            action.onClick()
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  )
}

const marks: Record<ToastKind, string> = {
  success: 'm6 10.5 2.7 2.7L14 8',
  warning: 'M10 5.5v5M10 14v.1',
  error: 'm7 7 6 6m0-6-6 6',
}
