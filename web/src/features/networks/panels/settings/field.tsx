import { Tooltip } from 'antd'
import { type ReactNode, type Ref, useId } from 'react'
import styles from './field.module.css'

type Ids = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

type FieldProps = {
  label: ReactNode
  /** What it is, for who lingers over the label or listens to it. */
  help?: string
  error?: string | null | undefined
  note?: ReactNode
  /** Small buttons behind the control. */
  tools?: ReactNode
  children: (ids: Ids) => ReactNode
}

/** One line of the inspector: label, control, and below what is wrong with it or worth knowing. */
export function Field({ label, help = '', error = null, note, tools, children }: FieldProps) {
  const id = useId()
  const below = error ?? note
  const isTold = below !== undefined && below !== null && below !== ''
  const told = [isTold ? `${id}-below` : '', help === '' ? '' : `${id}-help`].filter((one) => one !== '')
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {help === '' ? (
          label
        ) : (
          <Tooltip title={help}>
            <span className={styles.hinted}>{label}</span>
          </Tooltip>
        )}
      </label>
      {help === '' ? null : (
        <span id={`${id}-help`} hidden>
          {help}
        </span>
      )}
      <div className={styles.control}>
        {children({
          id,
          ...(told.length === 0 ? {} : { 'aria-describedby': told.join(' ') }),
          ...(error === null ? {} : { 'aria-invalid': true as const }),
        })}
        {tools}
      </div>
      {isTold ? (
        <div
          id={`${id}-below`}
          className={error === null ? styles.below : `${styles.below} ${styles.error}`}
          {...(error === null ? {} : { role: 'alert' })}
        >
          {below}
        </div>
      ) : null}
    </div>
  )
}

type ToolProps = {
  label: string
  icon: ReactNode
  onClick: () => void
  isDisabled?: boolean
  isPressed?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A small button with a name for those who do not see its picture. */
export function Tool({ label, icon, onClick, isDisabled = false, isPressed, ref = null }: ToolProps) {
  return (
    <button
      ref={ref}
      type="button"
      className={styles.tool}
      title={label}
      aria-label={label}
      disabled={isDisabled}
      onClick={onClick}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
    >
      {icon}
    </button>
  )
}
