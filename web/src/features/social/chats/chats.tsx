import { MessageOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useLive } from '../../../lib/live.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useTyped } from '../../../ui/hooks/use-typed.ts'
import { Loading } from '../../../ui/loading.tsx'
import { Groups } from '../groups/groups.tsx'
import { chatAddress } from './addresses.ts'
import { ChatList } from './chat-list.tsx'
import styles from './chats.module.css'
import { Conversation } from './conversation.tsx'
import { FoundMessages, LEAST_SEARCHED } from './found-messages.tsx'

/** The chat window: conversations at the left, the open one at the right; on narrow screens one of the two. */
export function Chats() {
  const { t } = useTranslation('social')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const user = useUser()
  const chatId = query.get('chat')
  const withId = query.get('with')
  const messageId = Number(query.get('message'))
  const asked = query.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same message can be asked for again by another address.
  const target = useMemo(() => (messageId > 0 ? { messageId } : null), [messageId, asked])
  useLive(user && { kind: 'user', id: user.id }, {
    refresh: ['social/chats', 'social/groups', 'social/groupMembers'],
  })
  if (!user) return null
  const toList = () => void navigate('/socialHome?tab=chat')
  const isOpen = chatId !== null || withId !== null
  const isGroups = query.get('tab') === 'groups'
  return (
    <div className={styles.window} data-open={isOpen}>
      <Side ownId={user.id} openId={chatId} isGroups={isGroups} />
      {withId !== null && <OpenWith key={withId} memberId={withId} />}
      {withId === null && chatId !== null && (
        <Conversation
          key={chatId}
          chatId={chatId}
          memberId={user.id}
          target={target}
          onBack={toList}
          onGone={toList}
        />
      )}
      {!isOpen && (
        <div className={styles.nothing}>
          <EmptyState icon={<MessageOutlined />} title={t('choose')} text={t('chooseText')} />
        </div>
      )}
    </div>
  )
}

/** Finds the conversation with a friend, or begins it. */
function OpenWith({ memberId }: { memberId: string }) {
  const navigate = useNavigate()
  const { mutate, error } = useAction('social/openChat', {
    refresh: ['social/chats'],
    quiet: true,
    onDone: ({ id }) => void navigate(chatAddress(id), { replace: true }),
  })
  useEffect(() => mutate({ memberId }), [mutate, memberId])
  return (
    <div className={styles.nothing}>
      {error ? (
        <ErrorState error={error} retry={() => mutate({ memberId })} />
      ) : (
        <Loading shape="rows" count={5} />
      )}
    </div>
  )
}

type SideProps = { ownId: string; openId: string | null /** Groups are shown first. */; isGroups: boolean }

/** Conversations, groups, and what a search finds in them. */
function Side({ ownId, openId, isGroups }: SideProps) {
  const { t } = useTranslation('social')
  const navigate = useNavigate()
  const { text, setText, settled } = useTyped()
  const [part, setPart] = useState<'chats' | 'groups'>(isGroups ? 'groups' : 'chats')
  useEffect(() => {
    if (isGroups) setPart('groups')
  }, [isGroups])
  const isSearching = settled.length >= LEAST_SEARCHED
  return (
    <aside className={styles.side}>
      <div className={styles.tools}>
        <Input.Search
          allowClear
          maxLength={100}
          aria-label={t('search')}
          placeholder={t('search')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {!isSearching && (
          <div className={styles.parts}>
            {(['chats', 'groups'] as const).map((name) => (
              <Button
                key={name}
                type={name === part ? 'primary' : 'default'}
                size="small"
                aria-pressed={name === part}
                onClick={() => setPart(name)}
              >
                {t(name)}
              </Button>
            ))}
          </div>
        )}
      </div>
      <div className={styles.sideBody}>
        {!isSearching && part === 'groups' && <Groups openId={openId} />}
        {!isSearching && part === 'chats' && <AllChats ownId={ownId} openId={openId} name="" />}
        {isSearching && (
          <>
            <AllChats ownId={ownId} openId={openId} name={settled} />
            <h3 className={styles.heading}>{t('foundMessages')}</h3>
            <FoundMessages
              key={settled}
              text={settled}
              chatId={null}
              onFound={({ chatId, id }) => void navigate(chatAddress(chatId, id))}
            />
          </>
        )}
      </div>
    </aside>
  )
}

/** `name`: only those whose name contains it. */
function AllChats({ ownId, openId, name }: { ownId: string; openId: string | null; name: string }) {
  const { t } = useTranslation('social')
  const { data, error, refetch } = useCall('social/chats', {}, { quiet: true })
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />
  const wanted = name.toLocaleLowerCase()
  const chats = data.chats.filter((chat) => chat.name.toLocaleLowerCase().includes(wanted))
  if (chats.length > 0) return <ChatList chats={chats} ownId={ownId} openId={openId} />
  if (name !== '') return null
  return (
    <div className={styles.none}>
      <strong>{t('noChats')}</strong>
      <p>{t('noChatsText')}</p>
      <Link to="/socialHome?tab=book">{t('findPeople')}</Link>
    </div>
  )
}
