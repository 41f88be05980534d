import { ArrowLeftOutlined, NotificationOutlined, SearchOutlined } from '@ant-design/icons'
import type { Chat, Message } from '@neuroloom/contract/social/chats'
import type { Person } from '@neuroloom/contract/social/people'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { DropHint } from '../attachments/drop-hint.tsx'
import type { PickedFile } from '../attachments/file-picker.ts'
import { useImageDrop } from '../attachments/image-transfer.ts'
import { usePicked } from '../attachments/use-picked.ts'
import { LinkedText } from '../linked-text.tsx'
import { MemberCard } from '../people/member-card.tsx'
import { ReportDialog } from '../report-dialog.tsx'
import { newRequestId } from '../request-id.ts'
import { ChatMenu } from './chat-menu.tsx'
import { Composer, type Written } from './composer.tsx'
import styles from './conversation.module.css'
import { MessageList } from './message-list.tsx'
import { deliver, discard, type Unsent, useUnsent } from './outbox.ts'
import { type Conversation as Loaded, refreshChats, useConversation } from './use-conversation.ts'

const over = { over: true } as const
const ShareFiles = lazyPart(async () => (await import('../attachments/share-files.tsx')).ShareFiles, over)
const GroupPanel = lazyPart(async () => (await import('../groups/group-panel.tsx')).GroupPanel, over)
const SearchDrawer = lazyPart(async () => (await import('./search-drawer.tsx')).SearchDrawer, over)

type Props = {
  chatId: string
  memberId: string
  /** Given by the address: a message to be shown. */
  target: { messageId: number } | null
  /** Back to the list, on narrow screens. */
  onBack: () => void
  onGone: () => void
}

/** One conversation: who it is with, its messages, and the field to write. */
export function Conversation({ chatId, memberId, target, onBack, onGone }: Props) {
  const conversation = useConversation(chatId)
  const { data, error, refetch } = conversation.query
  if (data) return <Opened {...{ chatId, memberId, target, onBack, onGone, conversation }} chat={data.chat} />
  return (
    <section className={styles.conversation}>
      <div className={styles.head}>
        <BackButton onBack={onBack} />
      </div>
      <div className={styles.loading}>
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Loading shape="rows" count={5} />
        )}
      </div>
    </section>
  )
}

function BackButton({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('social')
  return (
    <Button
      type="text"
      className={styles.back ?? ''}
      icon={<ArrowLeftOutlined aria-hidden />}
      aria-label={t('backToChats')}
      onClick={onBack}
    />
  )
}

function Opened(props: Props & { chat: Chat; conversation: Loaded }) {
  const { chat, conversation, memberId, target: given, onBack, onGone } = props
  const { t } = useTranslation('social')
  const [dialog, setDialog] = useState<'card' | 'group' | 'search' | null>(null)
  const [person, setPerson] = useState<Person | null>(null)
  const [reported, setReported] = useState<Message | null>(null)
  const [replyTo, setReplyTo] = useState<Message['replyTo']>(null)
  const [jump, setJump] = useState<Props['target']>(null)
  const picked = usePicked()
  const [files, setFiles] = useState<readonly PickedFile[]>([])
  const { isOver, dropProps } = useImageDrop(picked.add)
  const isOpen = chat.closed === null
  const sending = useSending(chat.id, memberId, conversation)
  const people = useNameable(chat, memberId)
  const withdraw = useAction('social/withdraw', { refresh: ['social/chats'], onDone: conversation.receive })
  const title = chat.name || t('closedAccount')
  const isGroup = chat.kind === 'group'
  const close = () => setDialog(null)
  const actions = {
    openPerson: setPerson,
    reply: ({ id, from, text, attachments: [first] }: Message) =>
      setReplyTo({ id, from, text, attached: first?.kind ?? null }),
    withdraw: ({ id }: Message) => withdraw.mutate({ chatId: chat.id, messageId: id }),
    report: setReported,
    goTo: (messageId: number) => setJump({ messageId }),
  }
  return (
    <section
      className={styles.conversation}
      aria-label={t('chatWith', { name: title })}
      {...(isOpen ? dropProps : {})}
    >
      {isOver && <DropHint />}
      <header className={styles.head}>
        <BackButton onBack={onBack} />
        <button type="button" className={styles.title} onClick={() => setDialog(isGroup ? 'group' : 'card')}>
          <Avatar name={title} photo={chat.person?.photo ?? ''} size={36} />
          <h2>{title}</h2>
        </button>
        <Button
          type="text"
          icon={<SearchOutlined aria-hidden />}
          aria-label={t('searchHere')}
          onClick={() => setDialog('search')}
        />
        <ChatMenu chat={chat} onInfo={() => setDialog(isGroup ? 'group' : 'card')} onGone={onGone} />
      </header>
      {isGroup && <Notice chat={chat} />}
      <MessageList
        conversation={conversation}
        ownId={memberId}
        unsent={sending.unsent}
        names={people.map(({ nickName }) => nickName)}
        target={jump ?? given}
        actions={actions}
        onRetry={sending.retry}
        onDiscard={({ requestId }) => discard(requestId)}
      />
      {isOpen ? (
        <Composer
          chatId={chat.id}
          chatName={title}
          memberId={memberId}
          people={people}
          replyTo={replyTo}
          onReplyEnd={() => setReplyTo(null)}
          picked={picked}
          onFiles={isGroup ? undefined : setFiles}
          onSend={sending.send}
        />
      ) : (
        <Alert className={styles.closed ?? ''} type="info" showIcon title={t(`closed.${chat.closed}`)} />
      )}
      <span className="nl-hidden" role="status">
        {sending.isSent && t('sendSuccess')}
      </span>
      <Suspense>
        {dialog === 'card' && chat.person && <MemberCard memberId={chat.person.id} onClose={close} />}
        {dialog === 'group' && chat.groupId !== null && (
          <GroupPanel groupId={chat.groupId} onPerson={setPerson} onClose={close} onGone={onGone} />
        )}
        {dialog === 'search' && (
          <SearchDrawer
            chatId={chat.id}
            chatName={title}
            onClose={close}
            onFound={({ id }) => {
              close()
              setJump({ messageId: id })
            }}
          />
        )}
        {files.length > 0 && (
          <ShareFiles chatId={chat.id} name={title} files={files} onClose={() => setFiles([])} />
        )}
        {person && <MemberCard memberId={person.id} onClose={() => setPerson(null)} />}
        {reported && (
          <ReportDialog
            kind="message"
            targetId={String(reported.id)}
            chatId={chat.id}
            onClose={() => setReported(null)}
          />
        )}
      </Suspense>
    </section>
  )
}

/** What a group's owner wants everybody to know. */
function Notice({ chat }: { chat: Chat }) {
  const { t } = useTranslation('social')
  const { data } = useCall('social/groups', {}, { quiet: true })
  const notice = data?.groups.find(({ id }) => id === chat.groupId)?.notice ?? ''
  if (notice === '') return null
  return (
    <aside className={styles.notice} aria-label={t('group.notice')}>
      <NotificationOutlined aria-hidden />
      <LinkedText text={notice} />
    </aside>
  )
}

/** Members of a group who can be named with an @; in a pair nobody. */
function useNameable({ groupId }: Chat, memberId: string): Person[] {
  const { data } = useCall(
    'social/groupMembers',
    { groupId: groupId ?? '' },
    { quiet: true, enabled: groupId !== null, staleTime: 60_000 },
  )
  return useMemo(
    () => data?.members.filter(({ id, nickName }) => id !== memberId && nickName !== '') ?? [],
    [data, memberId],
  )
}

function useSending(chatId: string, memberId: string, conversation: Loaded) {
  const queries = useQueryClient()
  const [isSent, setIsSent] = useState(false)
  const { data } = conversation.query
  // Stored already: its line stands among the messages.
  const stored = new Set(data?.messages.map(({ requestId }) => requestId))
  const unsent = useUnsent(memberId, chatId).filter(({ requestId }) => !stored.has(requestId))
  const put = (message: Omit<Unsent, 'state' | 'reason'>) => {
    setIsSent(false)
    if (data?.hasLater) void conversation.showLatest()
    void deliver(message, (sent) => {
      conversation.receive(sent)
      setIsSent(true)
      refreshChats(queries)
    })
  }
  return {
    unsent,
    /** For screen readers: the last message arrived. */
    isSent,
    send: (written: Written) =>
      put({ ...written, chatId, memberId, requestId: newRequestId(), at: new Date().toISOString() }),
    retry: (one: Unsent) => put(one),
  }
}
