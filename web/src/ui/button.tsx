/** A plain button and link for pages that carry no antd. The workspace uses antd's. */
import type { ButtonHTMLAttributes } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'

type Look = 'primary' | 'quiet'
type Size = 'normal' | 'large'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look; size?: Size; busy?: boolean }

/** While `busy` it stays pressable, because a second press is answered with a request to wait. */
export function Button({ look = 'primary', size = 'normal', busy = false, children, ...rest }: Props) {
  return (
    <button type="button" {...rest} className={classOf(look, size)} aria-busy={busy}>
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  )
}

export function ButtonLink({
  to,
  look = 'primary',
  size = 'normal',
  children,
}: {
  to: string
  look?: Look
  size?: Size
  children: React.ReactNode
}) {
  return (
    <Link to={to} className={classOf(look, size)}>
      {children}
    </Link>
  )
}

const classOf = (look: Look, size: Size): string =>
  [styles.button, look === 'primary' ? styles.primary : styles.quiet, size === 'large' && styles.large]
    .filter(Boolean)
    .join(' ')
