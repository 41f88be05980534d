import styles from './linked-text.module.css'
import { splitText } from './links.ts'

/** What a member wrote, as text: never as HTML. `names`: of people who may be named in it with an @. */
export function LinkedText({ text, names }: { text: string; names?: readonly string[] }) {
  return (
    <span className={styles.text}>
      {splitText(text, names).map((part, index) => {
        // Parts have no identity of their own, and their order never changes.
        const key = `${index} ${part.text}`
        if (part.kind === 'link')
          return (
            <a key={key} href={part.text} target="_blank" rel="noopener noreferrer nofollow">
              {part.text}
            </a>
          )
        return part.kind === 'name' ? <strong key={key}>{part.text}</strong> : part.text
      })}
    </span>
  )
}
