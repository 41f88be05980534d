import { MutedOutlined } from '@ant-design/icons'
import type { Chat } from '@neuroloom/contract/social/chats'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { LongList } from '../../../ui/long-list.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { chatAddress } from './addresses.ts'
import { useLastLine, useShortTime } from './chat-texts.ts'
import styles from './chats.module.css'

/** More are not counted. */
const MOST_SHOWN = 99
const ROW_PX = 62

type Props = { chats: readonly Chat[]; ownId: string; openId: string | null }

/** Conversations, the latest first: who, the last line, and what is unread. */
export function ChatList({ chats, ownId, openId }: Props) {
  const { t } = useTranslation('social')
  return (
    <nav className={styles.chatList} aria-label={t('chats')}>
      <LongList
        items={chats}
        keyOf={({ id }) => id}
        label={t('chats')}
        rowHeight={ROW_PX}
        className={styles.list}
        frameClassName={styles.chats}
      >
        {(chat) => <ChatRow chat={chat} ownId={ownId} isOpen={chat.id === openId} />}
      </LongList>
    </nav>
  )
}

function ChatRow({ chat, ownId, isOpen }: { chat: Chat; ownId: string; isOpen: boolean }) {
  const { t } = useTranslation('social')
  const lastLine = useLastLine(ownId)
  const shortTime = useShortTime()
  const { id, person, last, unreadCount, mentionCount, isMuted } = chat
  const name = chat.name || t('closedAccount')
  return (
    <Link to={chatAddress(id)} className={styles.row} aria-current={isOpen ? 'true' : undefined}>
      <Avatar name={name} photo={person?.photo ?? ''} size={42} />
      <span className={styles.what}>
        <span className={styles.line}>
          <strong>{name}</strong>
          {isMuted && <MutedOutlined className={styles.muted ?? ''} aria-label={t('muted')} />}
          {last && (
            <time dateTime={last.at} title={formatDate(last.at)}>
              {shortTime(last.at)}
            </time>
          )}
        </span>
        <span className={styles.line}>
          <span className={styles.last}>{lastLine(chat)}</span>
          {mentionCount > 0 && (
            <span className={styles.mention}>
              <span aria-hidden="true">@</span>
              <span className="nl-hidden">{t('mentioned')}</span>
            </span>
          )}
          {unreadCount > 0 && (
            <>
              <span className={styles.badge} data-muted={isMuted} aria-hidden="true">
                {unreadCount > MOST_SHOWN ? `${MOST_SHOWN}+` : formatNumber(unreadCount)}
              </span>
              <span className="nl-hidden">{t('unreadCount', { count: unreadCount })}</span>
            </>
          )}
        </span>
      </span>
    </Link>
  )
}
