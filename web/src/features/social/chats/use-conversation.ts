/** The messages of one conversation: loaded in pages, kept current by live events, without gaps. */
import type { Answer } from '@neuroloom/contract/calls'
import type { Chat, Message } from '@neuroloom/contract/social/chats'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useLive } from '../../../lib/live.ts'
import { refreshPaths } from '../../../lib/query.ts'
import { mergeMessages } from './messages.ts'

/** A contiguous part of the history: all messages between its first and its last. */
type Loaded = Answer<'social/messages'>

const keyOf = (chatId: string) => ['social/messages', { chatId }, 'conversation'] as const

/** Of the newest known messages so many are read again when catching up: meanwhile some may have been withdrawn. */
const REREAD = 30

export type Conversation = ReturnType<typeof useConversation>

export function useConversation(chatId: string) {
  const queries = useQueryClient()
  const query = useQuery<Loaded, Error>({
    queryKey: keyOf(chatId),
    queryFn: ({ signal }) => load(queries, chatId, signal),
  })
  const { refetch } = query
  const [isPaging, setIsPaging] = useState(false)
  const paging = useRef(false)
  const { connected } = useLive(
    { kind: 'chat', id: chatId },
    {
      onEvent: ({ type, data }) => applyEvent({ queries, chatId, type, data, catchUp: () => void refetch() }),
    },
  )
  // Live messages are not replayed: whatever passed before the connection stood is fetched.
  const isLoaded = query.data !== undefined
  useEffect(() => {
    if (connected && isLoaded) void refetch()
  }, [connected, isLoaded, refetch])

  const actions = useMemo(() => actionsOn(queries, chatId), [queries, chatId])
  /** One page at a time; a failed one is asked for again by the next scroll or press. */
  const page = useCallback(async (load: () => Promise<void>) => {
    if (paging.current) return
    paging.current = true
    setIsPaging(true)
    try {
      await load()
    } catch {
      // The call has told why.
    } finally {
      paging.current = false
      setIsPaging(false)
    }
  }, [])

  return {
    query,
    isPaging,
    receive: actions.receive,
    setChat: actions.setChat,
    loadEarlier: () => page(actions.loadEarlier),
    loadLater: () => page(actions.loadLater),
    showLatest: () => page(actions.showLatest),
    showAround: (messageId: number) => page(() => actions.showAround(messageId)),
  }
}

/** What is known is completed; without anything known, or after a jump into the past, the page of the latest is loaded. */
async function load(queries: QueryClient, chatId: string, signal: AbortSignal): Promise<Loaded> {
  const known = queries.getQueryData<Loaded>(keyOf(chatId))
  if (!known || known.messages.length === 0)
    return merged(queries, chatId, await call('social/messages', { chatId }, { quiet: true, signal }))
  // Later messages are loaded by scrolling there.
  if (known.hasLater) return known
  const from = known.messages.at(-REREAD) ?? known.messages[0]
  let after = Math.max(0, (from?.id ?? 0) - 1)
  let caughtUp = known
  for (;;) {
    const page = await call('social/messages', { chatId, after }, { quiet: true, signal })
    const messages = mergeMessages(caughtUp.messages, page.messages)
    caughtUp = { ...caughtUp, messages, chat: page.chat }
    const last = page.messages.at(-1)
    if (!page.hasLater || !last) return merged(queries, chatId, caughtUp)
    after = last.id
  }
}

/** What came live while the answer was on its way stays. */
function merged(queries: QueryClient, chatId: string, answer: Loaded): Loaded {
  const current = queries.getQueryData<Loaded>(keyOf(chatId))
  const live = current && !current.hasLater && !answer.hasLater ? current.messages : []
  return { ...answer, messages: mergeMessages(live, answer.messages) }
}

type Applied = {
  queries: QueryClient
  chatId: string
  type: string
  data: Record<string, unknown>
  catchUp: () => void
}

function applyEvent({ queries, chatId, type, data, catchUp }: Applied): void {
  const { receive, setChat } = actionsOn(queries, chatId)
  if (type === 'message') {
    const { message } = data
    const last = queries.getQueryData<Loaded>(keyOf(chatId))?.messages.at(-1)
    if (isMessage(message)) receive(message)
    // Too large for a live event, or one before it was missed: numbers have no gaps.
    if (!isMessage(message) || (last && message.id > last.id + 1)) catchUp()
  }
  if (type === 'read') {
    const { memberId, messageId } = data
    const other = queries.getQueryData<Loaded>(keyOf(chatId))?.chat.person?.id
    // What oneself has read in another tab changes nothing here.
    if (typeof messageId !== 'number' || memberId !== other) return
    setChat((chat) => ({ ...chat, otherReadId: Math.max(chat.otherReadId, messageId) }))
  }
}

/** The server sends what `social/messages` answers; only a message has a number of its own and a sender. */
const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'id' in value && 'from' in value

function actionsOn(queries: QueryClient, chatId: string) {
  const queryKey = keyOf(chatId)
  const current = () => queries.getQueryData<Loaded>(queryKey)
  const change = (make: (known: Loaded) => Loaded) => {
    queries.setQueryData<Loaded>(queryKey, (known) => known && make(known))
  }
  /** Another part of the history takes the place of what is shown. */
  const replace = async (page: Loaded) => {
    await queries.cancelQueries({ queryKey })
    queries.setQueryData<Loaded>(queryKey, page)
  }
  return {
    receive: (message: Message) =>
      change((known) => {
        const { messages, hasLater } = known
        const isNewer = message.id > (messages.at(-1)?.id ?? 0)
        // Between what is shown and a newer message there are others.
        if (hasLater && isNewer) return known
        const isEarlier = message.id < (messages[0]?.id ?? 0)
        if (isEarlier) return known
        return { ...known, messages: mergeMessages(messages, [message]) }
      }),
    setChat: (make: (chat: Chat) => Chat) => change((known) => ({ ...known, chat: make(known.chat) })),
    loadEarlier: async () => {
      const [first] = current()?.messages ?? []
      if (!first) return
      const page = await call('social/messages', { chatId, before: first.id })
      change((known) => ({
        ...known,
        messages: mergeMessages(page.messages, known.messages),
        hasEarlier: page.hasEarlier,
      }))
    },
    loadLater: async () => {
      const last = current()?.messages.at(-1)
      if (!last) return
      const page = await call('social/messages', { chatId, after: last.id })
      change((known) => ({
        ...page,
        messages: mergeMessages(known.messages, page.messages),
        hasEarlier: known.hasEarlier,
      }))
    },
    showLatest: async () => replace(await call('social/messages', { chatId })),
    showAround: async (messageId: number) => {
      if (current()?.messages.some(({ id }) => id === messageId)) return
      await replace(await call('social/messages', { chatId, around: messageId }))
    },
  }
}

/** What a change of conversations makes old. */
export function refreshChats(queries: QueryClient): void {
  refreshPaths(queries, ['social/chats', 'social/unread'])
}

/** Messages that were removed are shown no more when the conversation is opened again. */
export function forgetConversation(queries: QueryClient, chatId: string): void {
  queries.removeQueries({ queryKey: keyOf(chatId) })
}
