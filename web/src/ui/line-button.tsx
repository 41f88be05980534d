/** Something found, in one line that opens it; what was found is the caller's. */
import styles from './line-button.module.css'

type Props = { tone?: 'told' | 'warning'; title: string; action: string; onClick: () => void }

export function LineButton({ tone = 'told', title, action, onClick }: Props) {
  return (
    <button type="button" className={`${styles.line} ${styles[tone]}`} onClick={onClick}>
      <strong>{title}</strong>
      <span>{action}</span>
    </button>
  )
}
