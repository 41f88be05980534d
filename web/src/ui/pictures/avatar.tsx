/** A member as a round sign: the chosen picture, or the first letter of the nickname, drawn by CSS: it is no text. */
import styles from './avatar.module.css'
import { Portrait } from './portrait.tsx'
import { isPortrait } from './portrait-names.ts'

export function Avatar({ name, photo = '', size = 34 }: { name: string; photo?: string; size?: number }) {
  if (isPortrait(photo)) return <Portrait name={photo} size={size} />
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
