import { ArrowDownOutlined } from '@ant-design/icons'
import { social as limits } from '@neuroloom/contract/limits'
import type { Chat, Message } from '@neuroloom/contract/social/chats'
import { Button } from 'antd'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useDayName, useEventText } from './chat-texts.ts'
import styles from './conversation.module.css'
import { type MessageActions, MessageLine, UnsentLine } from './message-line.tsx'
import { rowsOf } from './messages.ts'
import type { Unsent } from './outbox.ts'
import type { Conversation } from './use-conversation.ts'
import { useReadMark } from './use-read-mark.ts'
import { centre, useScroll } from './use-scroll.ts'

type Props = {
  conversation: Conversation
  ownId: string
  unsent: readonly Unsent[]
  names: readonly string[]
  /** A message to be shown and marked; a new object asks for it again. */
  target: { messageId: number } | null
  actions: MessageActions
  onRetry: (unsent: Unsent) => void
  onDiscard: (unsent: Unsent) => void
}

/** The messages of a conversation in order, with what is on its way below them. */
export function MessageList({
  conversation,
  ownId,
  unsent,
  names,
  target,
  actions,
  onRetry,
  onDiscard,
}: Props) {
  const { t } = useTranslation('social')
  const eventText = useEventText()
  const dayName = useDayName()
  const { messages, chat, hasEarlier, hasLater } = loadedOf(conversation)
  // The line above what was unread stays where it was when the conversation was opened.
  const listed = useListed(chat)
  const [readId] = useState(listed.unreadCount > 0 ? listed.readId : null)
  const startAt = useRef<HTMLLIElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const firstId = messages[0]?.id ?? 0
  const lastId = messages.at(-1)?.id ?? 0
  const { box, isAtEnd, onScroll, toEnd, leaveEnd } = useScroll({
    ...{ firstId, lastId, startAt },
    pendingCount: unsent.length,
    onTop: () => hasEarlier && void conversation.loadEarlier(),
    onEnd: () => hasLater && void conversation.loadLater(),
  })
  const marked = useTarget({ box, target, lastId, conversation, leaveEnd })
  useReadMark({ end, chat, lastId: hasLater ? 0 : lastId, setChat: conversation.setChat })
  const lastOwn = messages.findLast(
    ({ from, event, isWithdrawn }) => from.id === ownId && !event && !isWithdrawn,
  )

  const markOf = (message: Message) => {
    if (message !== lastOwn) return null
    return chat.kind === 'pair' && chat.otherReadId >= message.id ? 'read' : 'sent'
  }
  const showLatest = () => {
    toEnd()
    if (hasLater) void conversation.showLatest()
  }
  return (
    <div className={styles.history}>
      <div
        ref={box}
        className={styles.scroll}
        role="log"
        aria-label={t('messagesOf', { name: chat.name })}
        aria-busy={conversation.isPaging}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
        tabIndex={0}
        onScroll={onScroll}
      >
        {hasEarlier && (
          <div className={styles.earlier}>
            <Button
              size="small"
              loading={conversation.isPaging}
              onClick={() => void conversation.loadEarlier()}
            >
              {t('earlier')}
            </Button>
          </div>
        )}
        {messages.length === 0 && unsent.length === 0 && <p className={styles.none}>{t('sayHello')}</p>}
        <ol className={styles.messages}>
          {rowsOf(messages, { ownId, readId }).map((row) => {
            if (row.kind === 'day')
              return (
                <li key={`day ${row.at}`} className={styles.day}>
                  <span>{dayName(row.at)}</span>
                </li>
              )
            if (row.kind === 'unread')
              return (
                <li key="unread" className={styles.unread} ref={startAt}>
                  <span>{t('newMessages')}</span>
                </li>
              )
            const { message, isContinued } = row
            if (message.event !== null)
              return (
                <li key={message.id} className={styles.note} data-message={message.id}>
                  {eventText(message)}
                </li>
              )
            return (
              <MessageLine
                key={message.id}
                message={message}
                ownId={ownId}
                isGroup={chat.kind === 'group'}
                isContinued={isContinued}
                isMarked={message.id === marked}
                mark={markOf(message)}
                canReply={chat.closed === null}
                names={names}
                withdrawMs={limits.withdrawMs}
                actions={actions}
              />
            )
          })}
          {!hasLater &&
            unsent.map((one) => (
              <UnsentLine
                key={one.requestId}
                unsent={one}
                onRetry={() => onRetry(one)}
                onDiscard={() => onDiscard(one)}
              />
            ))}
        </ol>
        <div ref={end} className={styles.end} />
      </div>
      {(hasLater || !isAtEnd) && (
        <Button
          className={styles.latest ?? ''}
          shape="round"
          icon={<ArrowDownOutlined aria-hidden />}
          onClick={showLatest}
        >
          {t('latest')}
        </Button>
      )}
    </div>
  )
}

/** As the list of conversations knows it, which is newer than a conversation that was opened before. */
function useListed(chat: Chat): Chat {
  const { data } = useCall('social/chats', {}, { quiet: true, enabled: false })
  return data?.chats.find(({ id }) => id === chat.id) ?? chat
}

function loadedOf({ query: { data } }: Conversation) {
  if (!data) throw new Error('The list is shown once messages were loaded')
  return data
}

type Target = {
  box: RefObject<HTMLDivElement | null>
  target: Props['target']
  lastId: number
  conversation: Conversation
  leaveEnd: () => void
}

/** Loads the part of the history around the wished message, scrolls there and marks it; null where none is wished. */
function useTarget({ box, target, lastId, conversation, leaveEnd }: Target): number | null {
  const reached = useRef<Props['target']>(null)
  const { showAround } = conversation
  const load = useRef(showAround)
  load.current = showAround
  useEffect(() => {
    if (!target) return
    leaveEnd()
    void load.current(target.messageId)
  }, [target, leaveEnd])
  // `lastId` changes when another part of the history was loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again once other messages are shown.
  useEffect(() => {
    if (!target || reached.current === target) return
    const line = box.current?.querySelector(`[data-message="${target.messageId}"]`)
    if (!line || !box.current) return
    reached.current = target
    centre(box.current, line)
  }, [target, lastId, box])
  return target?.messageId ?? null
}
