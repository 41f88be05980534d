import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './office.module.css'

type DeedDialogProps = {
  title: string
  /** What will happen. */
  text: string
  saveLabel: string
  isDanger?: boolean
  isDisabled: boolean
  /** Why it was refused. */
  error: Error | null
  onSave: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** Asks for what a deed needs; a refusal is told in the dialog, which stays for another try. */
export function DeedDialog({ text, error, children, ...rest }: DeedDialogProps) {
  return (
    <SaveDialog width={520} {...rest}>
      <p>{text}</p>
      <div className={styles.form}>
        {children}
        {error !== null && (
          <p role="alert" className={styles.problem}>
            {messageOf(error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
