import { ArrowDownOutlined } from '@ant-design/icons'
import { social as limits } from '@neuroloom/contract/limits'
import type { Chat, Message } from '@neuroloom/contract/social/chats'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useDayName, useEventText } from './chat-texts.ts'
import styles from './conversation.module.css'
import { type MessageActions, MessageLine, UnsentLine } from './message-line.tsx'
import { isUnreadBy, type Row, rowsOf } from './messages.ts'
import type { Unsent } from './outbox.ts'
import type { Conversation } from './use-conversation.ts'
import { useReadMark } from './use-read-mark.ts'
import { HEAD_PX, useScroll } from './use-scroll.ts'

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
  const end = useRef<HTMLDivElement>(null)
  const [first] = messages
  const firstId = first?.id ?? 0
  const lastId = messages.at(-1)?.id ?? 0
  const [tops] = useState(() => new Set<number>())
  tops.add(firstId)
  const waiting = hasLater ? [] : unsent
  const lines: Line[] = [
    ...rowsOf(messages, { ownId, tops, readId }),
    ...waiting.map((one) => ({ kind: 'unsent' as const, unsent: one })),
  ]
  const isFirstUnread = first !== undefined && isUnreadBy(first, { ownId, readId })
  const unreadRow = isFirstUnread ? 0 : lines.findIndex(({ kind }) => kind === 'unread')
  const { box, rows, isAtEnd, onScroll, toEnd, toRow, leaveEnd } = useScroll({
    ...{ firstId, lastId, keys: lines.map((line) => keyOf(line, ownId)) },
    ...{ startRow: unreadRow === -1 ? null : unreadRow, pendingCount: unsent.length, hasLatest: !hasLater },
    onTop: () => hasEarlier && void conversation.loadEarlier(),
    onEnd: () => hasLater && void conversation.loadLater(),
  })
  const rowOf = (messageId: number) =>
    lines.findIndex((line) => line.kind === 'message' && line.message.id === messageId)
  const marked = useTarget({ target, rowOf, lastId, conversation, toRow, leaveEnd })
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
  const draw = (line: Line) => {
    if (line.kind === 'day')
      return (
        <div className={styles.day}>
          <span>{dayName(line.at)}</span>
        </div>
      )
    if (line.kind === 'unread') return <Unread />
    if (line.kind === 'unsent') {
      const one = line.unsent
      return <UnsentLine unsent={one} onRetry={() => onRetry(one)} onDiscard={() => onDiscard(one)} />
    }
    const { message, isContinued } = line
    if (message.event !== null) return <div className={styles.note}>{eventText(message)}</div>
    return (
      <MessageLine
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
  }
  return (
    <div className={styles.history}>
      <div
        ref={box}
        className={styles.scroll}
        role="log"
        // Rows that are drawn while somebody scrolls are no news.
        aria-live={isAtEnd ? 'polite' : 'off'}
        aria-label={t('messagesOf', { name: chat.name })}
        aria-busy={conversation.isPaging}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={styles.whole} style={{ height: rows.getTotalSize() }}>
          <div className={styles.top} style={{ height: HEAD_PX }}>
            {hasEarlier && (
              <Button
                size="small"
                loading={conversation.isPaging}
                onClick={() => void conversation.loadEarlier()}
              >
                {t('earlier')}
              </Button>
            )}
            {first && (
              <div className={styles.day}>
                <span>{dayName(first.at)}</span>
              </div>
            )}
            {isFirstUnread && <Unread />}
          </div>
          {lines.length === 0 && <p className={styles.none}>{t('sayHello')}</p>}
          <ol className={styles.messages}>
            {rows.getVirtualItems().map(({ index, key, start }) => {
              const line = lines[index]
              return (
                line && (
                  <li key={String(key)} ref={rows.measureElement} data-index={index} style={{ top: start }}>
                    {draw(line)}
                  </li>
                )
              )
            })}
          </ol>
          <div ref={end} className={styles.end} />
        </div>
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

type Line = Row | { kind: 'unsent'; unsent: Unsent }

/** An own message keeps its row once it is stored. */
function keyOf(line: Line, ownId: string): string | number {
  switch (line.kind) {
    case 'day':
      return `day ${line.at}`
    case 'unread':
      return 'unread'
    case 'unsent':
      return line.unsent.requestId
    case 'message':
      return line.message.from.id === ownId ? line.message.requestId : line.message.id
  }
}

function Unread() {
  const { t } = useTranslation('social')
  return (
    <div className={styles.unread}>
      <span>{t('newMessages')}</span>
    </div>
  )
}

type Target = {
  target: Props['target']
  /** Of a message that is loaded; −1 of another. */
  rowOf: (messageId: number) => number
  lastId: number
  conversation: Conversation
  toRow: (row: number) => void
  leaveEnd: () => void
}

/** Loads the part of the history around the wished message, scrolls there and marks it; null where none is wished. */
function useTarget({ target, rowOf, lastId, conversation, toRow, leaveEnd }: Target): number | null {
  const reached = useRef<Props['target']>(null)
  const { showAround } = conversation
  const latest = useRef({ showAround, rowOf })
  latest.current = { showAround, rowOf }
  useEffect(() => {
    if (!target) return
    leaveEnd()
    void latest.current.showAround(target.messageId)
  }, [target, leaveEnd])
  // `lastId` changes when another part of the history was loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again once other messages are shown.
  useEffect(() => {
    if (!target || reached.current === target) return
    const row = latest.current.rowOf(target.messageId)
    if (row === -1) return
    reached.current = target
    toRow(row)
  }, [target, lastId, toRow])
  return target?.messageId ?? null
}
