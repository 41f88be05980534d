import type { Message } from '@neuroloom/contract/social/chats'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { usePages } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import styles from './chats.module.css'

/** The server searches for texts of at least so many letters. */
export const LEAST_SEARCHED = 2

type Props = {
  text: string
  /** Null: in all conversations. */
  chatId: string | null
  onFound: (message: Message) => void
}

/** Messages that contain a text, the latest first; each leads to its place in the conversation. */
export function FoundMessages({ text, chatId, onFound }: Props) {
  const { t } = useTranslation('social')
  const query = usePages('social/searchMessages', { text, chatId })
  const found = query.data?.pages.flatMap((page) => page.found) ?? []
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError && found.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (found.length === 0) return <p className={styles.none}>{t('nothingFound')}</p>
  return (
    <>
      <ul className={styles.list} aria-label={t('foundMessages')}>
        {found.map(({ message, chatName }) => (
          <li key={`${message.chatId} ${message.id}`}>
            <button type="button" className={styles.found} onClick={() => onFound(message)}>
              <span className={styles.line}>
                <strong>{chatId === null ? chatName : message.from.nickName || t('closedAccount')}</strong>
                <time dateTime={message.at}>{formatDate(message.at, 'minute')}</time>
              </span>
              <span className={styles.said}>
                {chatId === null && `${message.from.nickName || t('closedAccount')}: `}
                <Marked text={message.text} part={text} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}

/** So much is shown before what was found. */
const BEFORE = 40

/** The text from shortly before what was found, which is marked. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = text.toLocaleLowerCase().indexOf(part.toLocaleLowerCase())
  if (at === -1) return text
  const from = Math.max(0, at - BEFORE)
  return (
    <>
      {from > 0 && '…'}
      {text.slice(from, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  )
}
