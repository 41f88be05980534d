/** A member as a round sign with the first letter of the nickname, drawn by CSS: it is no text. Loads no picture. */
import styles from './avatar.module.css'

export function Avatar({ name, size = 34 }: { name: string; size?: number }) {
  const [first = '?'] = name.trim()
  return (
    <span
      className={styles.avatar}
      style={{ width: size, height: size, fontSize: size * 0.44 }}
      aria-hidden="true"
      data-letter={first.toUpperCase()}
    />
  )
}
