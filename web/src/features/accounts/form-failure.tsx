import styles from './form-failure.module.css'

/** Why a form was refused, above its button: it stays when the message over the page, which is what screen readers say, has gone. */
export function FormFailure({ text }: { text: string | null }) {
  return text === null ? null : <p className={styles.failure}>{text}</p>
}
