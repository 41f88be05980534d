import { Link } from 'react-router'
import { topicAddress } from './addresses.ts'
import { splitPost } from './pieces.ts'
import styles from './posts.module.css'

/** What a post says, as text and never as HTML; its topics lead to posts of the same topic. */
export function PostText({ text, topics }: { text: string; topics: readonly string[] }) {
  return (
    <p className={styles.text}>
      {splitPost(text, topics).map((piece, index) => {
        // Pieces have no identity of their own, and their order never changes.
        const key = `${index} ${piece.text}`
        if (piece.kind === 'text') return piece.text
        if (piece.kind === 'topic')
          return (
            <Link key={key} to={topicAddress(piece.topic)}>
              {piece.text}
            </Link>
          )
        return (
          <a key={key} href={piece.text} target="_blank" rel="noopener nofollow">
            {piece.text}
          </a>
        )
      })}
    </p>
  )
}
